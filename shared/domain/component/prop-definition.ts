import * as z from 'zod';

/**
 * A prop as declared by the component and listed in responses: `name`, `type`, and the other known members that the
 * component declares.
 */
export const PropDefinition = z.looseObject({ name: z.string(), type: z.string() });
export type PropDefinition = z.infer<typeof PropDefinition>;

/** The declared props, replaced and extended by those of `additionalProps`. */
export function withAdditional(
  declared: readonly PropDefinition[],
  additional: readonly PropDefinition[] = [],
): PropDefinition[] {
  const made = new Map(additional.map((prop) => [prop.name, prop]));
  const names = new Set(declared.map(({ name }) => name));
  return [...declared.map((prop) => made.get(prop.name) ?? prop), ...additional.filter(({ name }) => !names.has(name))];
}

/** The props of a list that the code does not declare, or declares differently. */
export function additionalAmong(declared: readonly PropDefinition[], all: readonly PropDefinition[]): PropDefinition[] {
  const known = new Set(declared.map((prop) => JSON.stringify(prop)));
  return all.filter((prop) => !known.has(JSON.stringify(prop)));
}
