import type { ComponentDescription } from './component.ts';
import type { ErrorDetail } from './errors.ts';
import type { PropDefinition } from './prop-definition.ts';
import { readTimer } from './timer.ts';

/** Values by prop name. Own members only, because a prop may be named like a member of `Object.prototype`. */
export type ConfiguredProps = Readonly<Record<string, unknown>>;

export type PropsReading =
  | { ok: true; props: Record<string, unknown> }
  | { ok: false; details: ErrorDetail[] };

/** Limit of the serialised values, the same as Pipedream's. */
export const LARGEST_PROPS_BYTES = 64 * 1024;
/** Each wrong prop is reported with its own sentence, so their number has a limit too. */
const MAX_PROPS = 1_000;

/**
 * Validates values for storage. Unwraps labelled values, treats `null` as unset, applies defaults, and leaves out props without a value,
 * such as `$.service.db`. `stored` has the values that an update keeps; values of props that the component no longer has are dropped.
 */
export function configureProps(
  description: Pick<ComponentDescription, 'props' | 'hasAdditionalProps'>,
  input: ConfiguredProps,
  stored: ConfiguredProps = {},
): PropsReading {
  const { props: definitions, hasAdditionalProps } = description;
  if (Object.keys(input).length > MAX_PROPS) {
    const message = `must not have more than ${MAX_PROPS} props`;
    return { ok: false, details: [{ path: 'configured_props', message }] };
  }
  const details: ErrorDetail[] = [];
  const props: [string, unknown][] = [];
  const known = new Set(definitions.map(({ name }) => name));
  for (const [name, value] of Object.entries(hasAdditionalProps ? { ...stored, ...input } : input)) {
    if (known.has(name)) continue;
    if (!hasAdditionalProps) details.push(detail(name, unknownProp(definitions)));
    else if (value !== null) props.push([name, value]);
  }
  for (const definition of definitions) {
    const { name } = definition;
    const isStored = !Object.hasOwn(input, name);
    const read = readProp(definition, ownValue(isStored ? stored : input, name), isStored);
    if ('problem' in read) details.push(detail(name, read.problem));
    else if (read.value !== undefined) props.push([name, read.value]);
  }
  if (details.length > 0) return { ok: false, details };
  const read = Object.fromEntries(props);
  if (new TextEncoder().encode(JSON.stringify(read)).length > LARGEST_PROPS_BYTES) {
    return { ok: false, details: [{ path: 'configured_props', message: 'must not exceed 64 KB' }] };
  }
  return { ok: true, props: read };
}

const detail = (name: string, message: string): ErrorDetail => ({
  path: `configured_props.${name}`,
  message,
});

function unknownProp(definitions: readonly PropDefinition[]): string {
  const names = definitions.map(({ name }) => name);
  return names.length === 0
    ? 'is no prop of this component, which has none'
    : `is no prop of this component; it has ${names.join(', ')}`;
}

const ownValue = (object: ConfiguredProps, name: string): unknown => {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return value === null ? undefined : value;
};

const isLabelled = (value: unknown): value is { __lv: unknown } =>
  isObject(value) && Object.hasOwn(value, '__lv');

const valueIn = (labelled: unknown): unknown =>
  isObject(labelled) && Object.hasOwn(labelled, 'value') ? labelled['value'] : labelled;

/** Unwraps values that forms send with a label: `{__lv: {label, value}}`, or a list of those. */
function unlabelled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unlabelled);
  if (!isLabelled(value)) return value;
  const { __lv: labelled } = value;
  return Array.isArray(labelled) ? labelled.map(valueIn) : valueIn(labelled);
}

type Read = { value: unknown } | { problem: string };

function readProp(definition: PropDefinition, input: unknown, isStored: boolean): Read {
  switch (definition.type) {
    case '$.service.db':
    case 'alert':
      return { value: undefined };
    case '$.interface.http':
      // The endpoint's URL is added to every response instead of being stored.
      return input === undefined || isObject(input) ? { value: {} } : { problem: 'must be an object' };
    case '$.interface.apphook':
      return input === undefined || isObject(input)
        ? { value: { event_names: eventNames(definition) } }
        : { problem: 'must be an object' };
    case '$.interface.timer': {
      const reading = readTimer(input, definition['static'] ?? definition['default']);
      return reading.ok ? { value: reading.value } : { problem: reading.problem };
    }
    default: {
      const labelled = input ?? definition['default'] ?? undefined;
      const value = definition['withLabel'] === true ? labelled : unlabelled(labelled);
      // Only input is checked: not a default, and not a value stored for an earlier declaration of the prop.
      const problem = input === undefined || isStored ? undefined : valueProblem(definition, input);
      return problem === undefined ? { value } : { problem };
    }
  }
}

/** The app events that the component subscribes to. */
function eventNames(definition: PropDefinition): unknown[] {
  const names = definition['static'] ?? definition['eventNames'];
  return Array.isArray(names) ? names : [];
}

function valueProblem(definition: PropDefinition, input: unknown): string | undefined {
  const problem = typeProblem(definition, unlabelled(input));
  return problem ?? (isLabelled(input) ? undefined : optionProblem(definition, input));
}

/** Types of apps (`$.app.thing[]`), `sql`, `data_store`, `dir` and `any` accept every value. */
function typeProblem(definition: PropDefinition, value: unknown): string | undefined {
  const { type } = definition;
  if (type.endsWith('[]') && !type.startsWith('$.')) {
    if (!Array.isArray(value)) return `must be an array (${type})`;
    const element = { ...definition, type: type.slice(0, -2) };
    const wrong = value.findIndex((member) => typeProblem(element, member) !== undefined);
    return wrong < 0 ? undefined : `has an element ${wrong} that ${typeProblem(element, value[wrong])}`;
  }
  switch (type) {
    case 'string':
      return typeof value === 'string' ? undefined : 'must be a string';
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'integer':
      return integerProblem(definition, value);
    case 'object':
    case 'app':
      return isObject(value) ? undefined : 'must be an object';
    case 'http_request':
      return requestProblem(value);
    default:
      return undefined;
  }
}

const REQUEST_TEXTS = ['url', 'method'];
/** Forms send these as `[{name, value}]`. */
const REQUEST_LISTS = ['headers', 'params', 'query'];

/** Checks only the members that are set: a component may add others before it sends the request. */
function requestProblem(value: unknown): string | undefined {
  if (!isObject(value)) return 'must be an object such as {"method": "GET", "url": "https://…"}';
  const wrong = (names: string[], isRight: (member: unknown) => boolean) =>
    names.find((name) => !isRight(ownValue(value, name)));
  const text = wrong(REQUEST_TEXTS, (member) => member === undefined || typeof member === 'string');
  if (text !== undefined) return `has a ${text} that must be a string`;
  const list = wrong(REQUEST_LISTS, (member) => member === undefined || typeof member === 'object');
  return list === undefined ? undefined : `has ${list} that must be an object or an array`;
}

function integerProblem({ min, max }: PropDefinition, value: unknown): string | undefined {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) return 'must be an integer';
  if (typeof min === 'number' && value < min) return `must be at least ${min}`;
  if (typeof max === 'number' && value > max) return `must be at most ${max}`;
  return undefined;
}

const MAX_LISTED = 20;

/** Checks a value against the declared options. Labelled values are not checked: they come from dynamic options. */
function optionProblem({ options }: PropDefinition, input: unknown): string | undefined {
  if (!Array.isArray(options) || options.length === 0) return undefined;
  const known = new Set(options.map((option) => JSON.stringify(valueIn(option))));
  const chosen = Array.isArray(input) ? input : [input];
  if (chosen.every((value) => isLabelled(value) || known.has(JSON.stringify(value)))) return undefined;
  const listed = [...known].slice(0, MAX_LISTED).join(', ');
  const subject = Array.isArray(input) ? 'may only hold' : 'must be one of';
  return `${subject} ${listed}${known.size > MAX_LISTED ? ', …' : ''}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
