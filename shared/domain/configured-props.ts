import type { ComponentDescription } from './component.ts';
import type { ErrorDetail } from './errors.ts';
import type { PropDefinition } from './prop-definition.ts';
import { readTimer } from './timer.ts';

/** Values of a component's props, keyed by prop name; every own member is one, whatever it is called. */
export type ConfiguredProps = Readonly<Record<string, unknown>>;

export type PropsReading =
  { ok: true; props: Record<string, unknown> } | { ok: false; details: ErrorDetail[] };

/** Serialised; the same bound as the service whose components run here. */
export const LARGEST_PROPS_BYTES = 64 * 1024;

/**
 * What is stored and shown: labelled values are unwrapped, `null` counts as unset, an unset prop takes its default, and props
 * without a value (`$.service.db` among them) are left out. An update keeps what it does not name; what the component does not have
 * any more is dropped.
 */
export function configureProps(
  description: Pick<ComponentDescription, 'props' | 'hasAdditionalProps'>,
  given: ConfiguredProps,
  kept: ConfiguredProps = {},
): PropsReading {
  const { props: definitions, hasAdditionalProps } = description;
  const details: ErrorDetail[] = [];
  const props: [string, unknown][] = [];
  const known = new Set(definitions.map(({ name }) => name));
  for (const [name, value] of Object.entries(hasAdditionalProps ? { ...kept, ...given } : given)) {
    if (known.has(name)) continue;
    if (!hasAdditionalProps) details.push(detail(name, unknownProp(definitions)));
    else if (value !== null) props.push([name, value]);
  }
  for (const definition of definitions) {
    const { name } = definition;
    const isKept = !Object.hasOwn(given, name);
    const read = readProp(definition, ownValue(isKept ? kept : given, name), isKept);
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

/** Forms send `{__lv: {label, value}}` for a chosen option, or a list of those: the value is what counts. */
function unlabelled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unlabelled);
  if (!isLabelled(value)) return value;
  const { __lv: labelled } = value;
  return Array.isArray(labelled) ? labelled.map(valueIn) : valueIn(labelled);
}

type Read = { value: unknown } | { problem: string };

function readProp(definition: PropDefinition, given: unknown, isKept: boolean): Read {
  switch (definition.type) {
    case '$.service.db':
    case 'alert':
      return { value: undefined };
    case '$.interface.http':
      // Its one member, the address, is made whenever it is shown.
      return given === undefined || isObject(given) ? { value: {} } : { problem: 'must be an object' };
    case '$.interface.apphook':
      return given === undefined || isObject(given)
        ? { value: { event_names: eventNames(definition) } }
        : { problem: 'must be an object' };
    case '$.interface.timer': {
      const reading = readTimer(given, definition['static'] ?? definition['default']);
      return reading.ok ? { value: reading.value } : { problem: reading.problem };
    }
    default: {
      const value = given ?? definition['default'] ?? undefined;
      // A run that asked for labels gets them; anybody else the values.
      const kept = definition['withLabel'] === true ? value : unlabelled(value);
      // Only what a caller gives is held to its type: not a default, nor what was stored under an earlier declaration.
      const problem = given === undefined || isKept ? undefined : valueProblem(definition, given);
      return problem === undefined ? { value: kept } : { problem };
    }
  }
}

/** Which of its app's events the component asks for. */
function eventNames(definition: PropDefinition): unknown[] {
  const names = definition['static'] ?? definition['eventNames'];
  return Array.isArray(names) ? names : [];
}

function valueProblem(definition: PropDefinition, given: unknown): string | undefined {
  const problem = typeProblem(definition, unlabelled(given));
  return problem ?? (isLabelled(given) ? undefined : optionProblem(definition, given));
}

/** Types of apps' own (`$.app.thing[]`), `sql`, `data_store`, `dir` and `any` are plain values: whatever is given. */
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
/** A form has them as `[{name, value}]`. */
const REQUEST_LISTS = ['headers', 'params', 'query'];

/** A component may fill in what is missing before it sends the request. */
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

const MOST_LISTED = 20;

/** Of a declared list one must be taken; what came with a label was chosen by somebody who saw others. */
function optionProblem({ options }: PropDefinition, given: unknown): string | undefined {
  if (!Array.isArray(options) || options.length === 0) return undefined;
  const known = new Set(options.map((option) => JSON.stringify(valueIn(option))));
  const chosen = Array.isArray(given) ? given : [given];
  if (chosen.every((value) => isLabelled(value) || known.has(JSON.stringify(value)))) return undefined;
  const listed = [...known].slice(0, MOST_LISTED).join(', ');
  const subject = Array.isArray(given) ? 'may only hold' : 'must be one of';
  return `${subject} ${listed}${known.size > MOST_LISTED ? ', …' : ''}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
