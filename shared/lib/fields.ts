/** Field names of `include` and `exclude`; `exclude` is applied after `include`. */
export interface FieldChoice {
  include: readonly string[];
  exclude: readonly string[];
}

/** Parses comma-separated names; trims spaces. */
export const fieldNames = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** The chosen fields of an object; own fields only, so that `constructor` selects nothing. */
export function chosenFields(object: object, { include, exclude }: FieldChoice): object {
  if (include.length === 0 && exclude.length === 0) return object;
  const kept = Object.entries(object).filter(
    ([name]) => (include.length === 0 || include.includes(name)) && !exclude.includes(name),
  );
  return Object.fromEntries(kept);
}
