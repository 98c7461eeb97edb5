import type { PropDefinition } from '../domain/component/prop-definition.ts';
import { MAX_JSON_DEPTH, MAX_JSON_VALUES, shapeOf } from '../lib/json-text.ts';
import type { Job, RunnerLine } from '../domain/run/run.ts';
import { appObject } from './component-context.ts';
import { declarationsIn, type PropDeclaration } from './declarations.ts';
import { definition } from './describe.ts';
import { type Dict, isDict, isFunction } from './guards.ts';
import type { LoadedComponent } from './load.ts';
import { RuntimeError } from './thrown.ts';

/** Makes the component's `this` for a list of declarations. */
export type MakeThis = (declarations: readonly PropDeclaration[]) => Dict;

type ConfigureJob = Extract<Job, { kind: 'props' | 'options' }>;

/** Executes a `props` job, which lists all props, or an `options` job, which lists the options of one prop. */
export async function configure(
  job: ConfigureJob,
  component: LoadedComponent,
  makeThis: MakeThis,
): Promise<RunnerLine> {
  const { declarations } = component;
  const isDeclared = job.kind === 'options' && declarations.some(({ name }) => name === job.prop);
  const all = isDeclared ? declarations : await allDeclarations(component, makeThis);
  return job.kind === 'props'
    ? { k: 'props', job: job.id, props: (await withEventNames(all, makeThis)).map(definition) }
    : { k: 'options', job: job.id, ...(await optionsOf(all, makeThis(all), job)) };
}

/** The reader of props or options holds them in memory. */
const LARGEST_RESPONSE_BYTES = 256 * 1024;

/** Throws for props or options that are larger than the service reads. */
export function withinOptionLimits(line: RunnerLine): RunnerLine {
  const json = JSON.stringify(line);
  const { values, depth } = shapeOf(json);
  const all = line.k === 'props' ? 'props' : 'options';
  if (Buffer.byteLength(json) > LARGEST_RESPONSE_BYTES)
    throw tooLarge(`it returned more than 256 KB of ${all}; return fewer or smaller ones`);
  if (values > MAX_JSON_VALUES) throw tooLarge(`it returned ${all} with more than 50,000 JSON values; return fewer`);
  if (depth > MAX_JSON_DEPTH) throw tooLarge(`it returned ${all} that nest deeper than ${MAX_JSON_DEPTH} levels`);
  return line;
}

const tooLarge = (message: string) => new RuntimeError('too_large', message);

/** Limit of calls of `additionalProps`, for a function whose result never stabilises. */
const MAX_ROUNDS = 8;

/**
 * Calls `additionalProps` until its result no longer changes: a default of a new prop may add further props. Returns
 * all declarations, declared ones first.
 */
async function allDeclarations(
  { declarations, exported }: Pick<LoadedComponent, 'declarations' | 'exported'>,
  makeThis: MakeThis,
): Promise<PropDeclaration[]> {
  const { additionalProps } = exported;
  if (!isFunction(additionalProps)) return declarations;
  const original = ({ name }: PropDeclaration) => declarations.find((declared) => declared.name === name);
  let all = declarations;
  for (let round = 1, before = ''; round <= MAX_ROUNDS; round += 1) {
    // Components may change the definitions passed to them, and these changes count.
    const previous = Object.fromEntries(declarations.map(({ name, type, fields }) => [name, { ...fields, type }]));
    const made: unknown = await additionalProps.call(makeThis(all), previous);
    const changed = declarationsIn(previous).map((prop) => ({ ...original(prop), ...prop }));
    all = merged(changed, declarationsIn(made));
    const text = JSON.stringify(all.map(definition));
    if (text === before) break;
    before = text;
  }
  return all;
}

function merged(declared: PropDeclaration[], made: PropDeclaration[]): PropDeclaration[] {
  const byName = new Map([...declared, ...made].map((declaration) => [declaration.name, declaration]));
  return [...byName.values()];
}

/** Evaluates `eventNames` functions, which run on the component and may depend on its other props. */
async function withEventNames(
  declarations: readonly PropDeclaration[],
  makeThis: MakeThis,
): Promise<PropDeclaration[]> {
  const made = declarations.map(async (declaration) => {
    const { name, type, fields } = declaration;
    const { eventNames } = fields;
    if (type !== '$.interface.apphook' || !isFunction(eventNames)) return declaration;
    const names: unknown = await eventNames.call(makeThis(declarations));
    return { ...declaration, fields: { ...fields, eventNames: listOf(name, names) } };
  });
  return Promise.all(made);
}

function listOf(prop: string, names: unknown): unknown[] {
  if (Array.isArray(names)) return names;
  if (names === undefined || names === null) return [];
  if (typeof names === 'string') return [names];
  throw new RuntimeError('invalid_event_names', `The eventNames of the prop ${prop} are not an array.`);
}

/**
 * Merges stored definitions into the code's declarations. Functions come from the code, because definitions have none.
 */
export function withDefinitions(
  declarations: readonly PropDeclaration[],
  definitions: readonly PropDefinition[] = [],
): PropDeclaration[] {
  const made = definitions.map(({ name, ...fields }): PropDeclaration => {
    const declared = declarations.find((declaration) => declaration.name === name);
    const { type } = fields;
    if (declared) return { ...declared, type, fields: { ...declared.fields, ...fields } };
    return type === 'app' ? { name, type, fields, app: fields } : { name, type, fields };
  });
  return merged([...declarations], made);
}

/**
 * Declarations for a run of a component whose `additionalProps` adds app props. Stored definitions have no methods, so
 * `additionalProps` is called again.
 */
export async function withApps(
  component: Pick<LoadedComponent, 'declarations' | 'exported'>,
  definitions: readonly PropDefinition[],
  makeThis: MakeThis,
): Promise<PropDeclaration[]> {
  return withDefinitions(await allDeclarations(component, makeThis), definitions);
}

/** Whether the stored definitions have an app prop that the code does not declare. */
export const hasAppsOfItsOwn = (
  declarations: readonly PropDeclaration[],
  definitions: readonly PropDefinition[] = [],
): boolean => {
  const apps = new Set(declarations.flatMap(({ name, app }) => (app ? [name] : [])));
  return definitions.some(({ name, type }) => type === 'app' && !apps.has(name));
};

interface Options {
  options: unknown[];
  context: unknown;
}

/**
 * The options of a prop. The function of an app's propDefinition runs on the app, any other function on the component.
 */
async function optionsOf(
  declarations: readonly PropDeclaration[],
  self: Dict,
  { prop, page, prevContext, query }: Extract<Job, { kind: 'options' }>,
): Promise<Options> {
  const declaration = declarations.find(({ name }) => name === prop);
  if (!declaration) throw noOptions(`The component has no prop ${prop}.`);
  const { options } = declaration.fields;
  if (Array.isArray(options)) return { options, context: null };
  if (!isFunction(options)) throw noOptions(`The prop ${prop} has no options.`);
  const { inherited } = declaration;
  const values = Object.fromEntries(declarations.map(({ name }) => [name, self[name]]));
  const own: unknown = inherited?.args ? await inherited.args.call(self, values) : undefined;
  const on = inherited ? appAmong(declarations, self, inherited.app) : self;
  const response: unknown = await options.call(on, {
    ...(isDict(own) ? own : {}),
    page,
    prevContext: prevContext ?? {},
    query,
  });
  return read(response);
}

const noOptions = (message: string) => new RuntimeError('no_options', message);

/** The component's object of an app, found by identity or by slug. */
function appAmong(declarations: readonly PropDeclaration[], self: Dict, app: Dict): Dict {
  const apps = declarations.filter((declaration) => declaration.app !== undefined);
  const found =
    apps.find((declaration) => declaration.app === app) ??
    apps.find(({ fields }) => fields['app'] !== undefined && fields['app'] === app['app']);
  const object = found && self[found.name];
  return isDict(object) ? object : appObject(app, undefined);
}

/** A function without a result has no options. */
function read(response: unknown): Options {
  if (response === undefined || response === null) return { options: [], context: null };
  if (Array.isArray(response)) return { options: response, context: null };
  const options = isDict(response) && ('options' in response || 'context' in response) ? response['options'] : false;
  if (isDict(response) && (options === undefined || options === null || Array.isArray(options))) {
    return { options: options ?? [], context: response['context'] ?? null };
  }
  throw new RuntimeError('no_options', 'The options are neither an array nor {options, context}.');
}
