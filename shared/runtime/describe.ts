import type { ComponentDescription } from '../domain/component/component.ts';
import type { PropDefinition } from '../domain/component/prop-definition.ts';
import { isKnownMember, nearMatch } from '../domain/component/component-members.ts';
import { MAX_JSON_DEPTH, MAX_JSON_VALUES, shapeOf } from '../lib/json-text.ts';
import type { Slips } from '../domain/component/code-slips.ts';
import type { PropDeclaration } from './declarations.ts';
import { isFunction } from './guards.ts';
import type { HookName, LoadedComponent } from './load.ts';
import { RuntimeError } from './thrown.ts';

/** The members of a declaration that responses show, in this order. */
const SHOWN = [
  'label',
  'description',
  'optional',
  'default',
  'options',
  'secret',
  'min',
  'max',
  'disabled',
  'hidden',
  'useQuery',
  'reloadProps',
  'withLabel',
  'app',
  'customResponse',
  'static',
  'appProp',
  'eventNames',
  'alertType',
  'content',
] as const;

/** The description is stored in one item, which DynamoDB limits to 400 KB. */
const LARGEST_DESCRIPTION_BYTES = 256 * 1024;

/** Enough for a warning about each slip of a component. */
const MAX_UNKNOWN_MEMBERS = 20;

export function describe(component: LoadedComponent, slips?: Slips): ComponentDescription {
  const { exported, name, hooks } = component;
  const description: ComponentDescription = {
    name,
    ...texts(exported, ['key', 'version', 'description']),
    props: component.declarations.map(definition),
    hasRun: component.run !== undefined,
    hooks: hookNames.filter((hook) => hooks[hook] !== undefined),
    hasAdditionalProps: isFunction(exported['additionalProps']),
  };
  const unknownMembers = Object.keys(exported).filter((member) => !isKnownMember(member));
  if (unknownMembers.length > 0) description.unknownMembers = unknownMembers.slice(0, MAX_UNKNOWN_MEMBERS);
  if (slips && slips.arrows.length > 0) description.arrows = slips.arrows;
  if (slips?.requires && slips.requires.length > 0) description.computedRequires = slips.requires;
  const unknownReads = slips ? unknownReadsOf(component, slips) : [];
  if (unknownReads.length > 0) description.unknownReads = unknownReads.slice(0, MAX_UNKNOWN_MEMBERS);
  const computed = component.declarations.filter(({ fields }) => isFunction(fields['default']));
  if (computed.length > 0) description.computedDefaults = computed.map((prop) => prop.name);
  const { dedupe } = exported;
  if (dedupe === 'unique' || dedupe === 'greatest' || dedupe === 'last') description.dedupe = dedupe;
  const json = JSON.stringify(description);
  if (Buffer.byteLength(json) > LARGEST_DESCRIPTION_BYTES)
    throw new RuntimeError('load_failed', 'it declares more than 256 KB of props and descriptions');
  const { values, depth } = shapeOf(json);
  if (values > MAX_JSON_VALUES || depth > MAX_JSON_DEPTH)
    throw new RuntimeError('load_failed', 'its props have more than 50,000 JSON values, or nest too deeply');
  return description;
}

/** The names that the code reads as members of `this`, and that are none. `additionalProps` may add any. */
function unknownReadsOf({ exported, declarations, methods }: LoadedComponent, { reads }: Slips) {
  if (isFunction(exported['additionalProps'])) return [];
  const members = [...declarations.map(({ name }) => name), ...methods.map(([name]) => name), 'run'];
  const known = new Set([...members, ...Object.getOwnPropertyNames(Object.prototype)]);
  return reads
    .filter((name) => !known.has(name))
    .map((name) => {
      const meant = nearMatch(name, members);
      return meant === undefined ? { name } : { name, meant };
    });
}

const hookNames: readonly HookName[] = ['deploy', 'activate', 'deactivate'];

export function definition({ name, type, fields }: PropDeclaration): PropDefinition {
  const shown: PropDefinition = { name, type };
  for (const member of SHOWN) {
    const value = fields[member];
    if (isFunction(value)) {
      // Functions are left out; `remoteOptions` says that the options can be requested.
      if (member === 'options') shown['remoteOptions'] = true;
      continue;
    }
    const plain = jsonValue(value);
    if (plain !== undefined) shown[member] = plain;
  }
  return shown;
}

function texts<K extends string>(exported: Record<string, unknown>, members: readonly K[]): Partial<Record<K, string>> {
  const found: Partial<Record<K, string>> = {};
  for (const member of members) {
    const value = exported[member];
    if (typeof value === 'string' && value !== '') found[member] = value;
    // Some components have a number as version.
    if (typeof value === 'number') found[member] = String(value);
  }
  return found;
}

/** The value after a JSON round trip; undefined when it cannot be serialised. */
function jsonValue(value: unknown): unknown {
  try {
    const json: string | undefined = JSON.stringify(value);
    return json === undefined ? undefined : JSON.parse(json);
  } catch {
    return undefined;
  }
}
