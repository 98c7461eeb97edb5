import type { ComponentDescription } from './component.ts';
import type { ConfiguredProps } from './configured-props.ts';
import type { ErrorDetail } from '../errors.ts';
import { type PropDefinition, withAdditional } from './prop-definition.ts';

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
