import * as z from 'zod';

/**
 * A prop as the component declares it and as answers list it (decisions, "Components"): `name` and `type`, then whatever
 * of the known members the component declares.
 */
export const PropDefinition = z.looseObject({ name: z.string(), type: z.string() });
export type PropDefinition = z.infer<typeof PropDefinition>;

/** Those of the code, with what `additionalProps` made of them and added to them. */
export function withAdditional(
  declared: readonly PropDefinition[],
  additional: readonly PropDefinition[] = [],
): PropDefinition[] {
  const made = new Map(additional.map((prop) => [prop.name, prop]));
  const names = new Set(declared.map(({ name }) => name));
  return [
    ...declared.map((prop) => made.get(prop.name) ?? prop),
    ...additional.filter(({ name }) => !names.has(name)),
  ];
}

/** The ones of a whole list that are not in the code as they are there. */
export function additionalAmong(
  declared: readonly PropDefinition[],
  all: readonly PropDefinition[],
): PropDefinition[] {
  const known = new Set(declared.map((prop) => JSON.stringify(prop)));
  return all.filter((prop) => !known.has(JSON.stringify(prop)));
}
