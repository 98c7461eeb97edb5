import type { ComponentDescription } from './component.ts';
import { type PropDefinition, withAdditional } from './prop-definition.ts';
import type { ErrorDetail } from '../errors.ts';
import { defaultValue, readPropValue, relabelled, type ValueReading } from './prop-value.ts';
import { readTimer } from './timer.ts';

/** Values by prop name. Own members only, because a prop may be named like a member of `Object.prototype`. */
export type ConfiguredProps = Readonly<Record<string, unknown>>;

export type PropsReading = { ok: true; props: Record<string, unknown> } | { ok: false; details: ErrorDetail[] };

/** Limit of the serialised values, the same as Pipedream's. */
export const LARGEST_PROPS_BYTES = 64 * 1024;
/** Each wrong prop is reported with its own sentence, so their number has a limit too. */
const MAX_PROPS = 1_000;

/**
 * Validates values for storage. Unwraps labelled values, treats `null` as unset, applies defaults, and leaves out props
 * without a value, such as `$.service.db`. `stored` has the values that an update keeps; values of props that the
 * component no longer has are dropped.
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
    const shown = ownValue(stored, name);
    const read = Object.hasOwn(input, name)
      ? readProp(definition, ownValue(input, name), shown)
      : keptProp(definition, shown);
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

function readProp(definition: PropDefinition, input: unknown, shown?: unknown): ValueReading {
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
      if (input === undefined) return { value: defaultValue(definition) };
      const read = readPropValue(definition, input, { shown });
      if ('problem' in read || definition['withLabel'] !== true) return read;
      return { value: relabelled(input, read.value) };
    }
  }
}

/** A stored value stays as it is, also if the prop is declared with another type now. */
const keptProp = (definition: PropDefinition, stored: unknown): ValueReading =>
  stored === undefined || definition.type === '$.service.db' || definition.type.startsWith('$.interface.')
    ? readProp(definition, stored)
    : { value: stored };

/** The app events that the component subscribes to. */
function eventNames(definition: PropDefinition): unknown[] {
  const names = definition['static'] ?? definition['eventNames'];
  return Array.isArray(names) ? names : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Props that the service provides, that only show text, or that a user may leave out. */
const NEVER_REQUIRED = /^(?:\$\.service\.db|\$\.interface\..*|alert|app)$/;
/** A form does not show hidden and disabled props. */
const NOT_REQUIRED = ['optional', 'hidden', 'disabled'];

const isRequired = (prop: PropDefinition): boolean =>
  !NEVER_REQUIRED.test(prop.type) &&
  !NOT_REQUIRED.some((member) => prop[member] === true) &&
  !Object.hasOwn(prop, 'default');

const hasValue = (values: ConfiguredProps, name: string): boolean =>
  Object.hasOwn(values, name) && values[name] !== null && values[name] !== undefined;

/**
 * Names of the required props of the code that have no value. Props that `additionalProps` adds are never required,
 * because a caller learns of them only from a reload; a prop of the code is not required if `additionalProps` hides it
 * or makes it optional.
 */
export function missingProps(
  { props, computedDefaults = [] }: Pick<ComponentDescription, 'props' | 'computedDefaults'>,
  values: ConfiguredProps,
  additional: readonly PropDefinition[] = [],
): string[] {
  const effective = new Map(withAdditional(props, additional).map((prop) => [prop.name, prop]));
  return props
    .filter((prop) => isRequired(prop) && isRequired(effective.get(prop.name) ?? prop))
    .map(({ name }) => name)
    .filter((name) => !hasValue(values, name) && !computedDefaults.includes(name));
}

export const missingDetails = (names: readonly string[]): ErrorDetail[] =>
  names.map((name) => ({ path: `configured_props.${name}`, message: 'is required' }));
