/** `include` and `exclude` of a request: names of fields, `exclude` applied after `include` (decisions, "HTTP"). */
export interface FieldChoice {
  include: readonly string[];
  exclude: readonly string[];
}

/** Comma-separated names, spaces trimmed. */
export const fieldNames = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** What is left of an object: its own fields only, so `constructor` gives nothing. */
export function chosenFields(object: object, { include, exclude }: FieldChoice): object {
  const kept = Object.entries(object).filter(
    ([name]) => (include.length === 0 || include.includes(name)) && !exclude.includes(name),
  );
  return Object.fromEntries(kept);
}
