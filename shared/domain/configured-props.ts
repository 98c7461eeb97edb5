import type { ComponentDescription, PropDefinition } from './component.ts';
import type { ErrorDetail } from './errors.ts';
import { readTimer } from './timer.ts';

/** Values of a component's props, keyed by prop name; every own member is one, whatever it is called. */
export type ConfiguredProps = Readonly<Record<string, unknown>>;

export type PropsReading =
  { ok: true; props: Record<string, unknown> } | { ok: false; details: ErrorDetail[] };

/** Serialised; the same bound as the service whose components run here. */
export const LARGEST_PROPS_BYTES = 64 * 1024;

/**
 * What is stored and shown for `given`: labelled values are unwrapped, `null` counts as unset, an unset prop takes its default,
 * and props without a value (`$.service.db` among them) are left out.
 */
export function configureProps(
  { props: definitions, hasAdditionalProps }: Pick<ComponentDescription, 'props' | 'hasAdditionalProps'>,
  given: ConfiguredProps,
): PropsReading {
  const details: ErrorDetail[] = [];
  const props: [string, unknown][] = [];
  const known = new Set(definitions.map(({ name }) => name));
  for (const [name, value] of Object.entries(given)) {
    if (known.has(name)) continue;
    if (!hasAdditionalProps)
      details.push({ path: `configured_props.${name}`, message: unknownProp(definitions) });
    else if (value !== null) props.push([name, value]);
  }
  for (const definition of definitions) {
    const read = readProp(definition, ownValue(given, definition.name));
    if ('problem' in read)
      details.push({ path: `configured_props.${definition.name}`, message: read.problem });
    else if (read.value !== undefined) props.push([definition.name, read.value]);
  }
  if (details.length > 0) return { ok: false, details };
  const read = Object.fromEntries(props);
  if (new TextEncoder().encode(JSON.stringify(read)).length > LARGEST_PROPS_BYTES) {
    return { ok: false, details: [{ path: 'configured_props', message: 'must not exceed 64 KB' }] };
  }
  return { ok: true, props: read };
}

/** An update: props that are not named keep their value, those that the component does not have are dropped. */
export function mergeProps(
  { props: definitions, hasAdditionalProps }: Pick<ComponentDescription, 'props' | 'hasAdditionalProps'>,
  current: ConfiguredProps,
  given: ConfiguredProps,
): ConfiguredProps {
  const known = new Set(definitions.map(({ name }) => name));
  const kept = Object.entries(current).filter(([name]) => hasAdditionalProps || known.has(name));
  return Object.fromEntries([...kept, ...Object.entries(given)]);
}

function unknownProp(definitions: readonly PropDefinition[]): string {
  const names = definitions.map(({ name }) => name);
  return names.length === 0
    ? 'is no prop of this component, which has none'
    : `is no prop of this component; it has ${names.join(', ')}`;
}

const ownValue = (object: ConfiguredProps, name: string): unknown => {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return value === null ? undefined : unlabelled(value);
};

/** Forms send `{__lv: {label, value}}` for a chosen option: the value is what counts. */
function unlabelled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unlabelled);
  if (!isObject(value) || !Object.hasOwn(value, '__lv')) return value;
  const { __lv: labelled } = value;
  return isObject(labelled) && Object.hasOwn(labelled, 'value') ? labelled['value'] : value;
}

type Read = { value: unknown } | { problem: string };

function readProp(definition: PropDefinition, given: unknown): Read {
  switch (definition.type) {
    case '$.service.db':
      return { value: undefined };
    case '$.interface.http':
      // Its one member, the address, is made whenever it is shown.
      return given === undefined || isObject(given) ? { value: {} } : { problem: 'must be an object' };
    case '$.interface.timer': {
      const reading = readTimer(given ?? definition['static'] ?? definition['default']);
      return reading.ok ? { value: reading.value } : { problem: reading.problem };
    }
    default: {
      const value = given ?? definition['default'] ?? undefined;
      // A component may declare a default of another type; only what a caller gives is held to it.
      const problem = given === undefined ? undefined : typeProblem(definition, given);
      return problem === undefined ? { value } : { problem };
    }
  }
}

function typeProblem(definition: PropDefinition, value: unknown): string | undefined {
  const { type } = definition;
  if (type.endsWith('[]')) {
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
    default:
      return undefined;
  }
}

function integerProblem({ min, max }: PropDefinition, value: unknown): string | undefined {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) return 'must be an integer';
  if (typeof min === 'number' && value < min) return `must be at least ${min}`;
  if (typeof max === 'number' && value > max) return `must be at most ${max}`;
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
