/** A field of an account in a form. */
export interface FieldRow {
  name: string;
  /** Empty: the field stays as it is. */
  value: string;
  /** Whether a person types the name too. */
  isNamedHere: boolean;
}

export const ownRow = (): FieldRow => ({ name: '', value: '', isNamedHere: true });

/** The rows of known fields. Without any, a person names the first one. */
export const rowsOf = (names: readonly string[]): readonly FieldRow[] =>
  names.length === 0 ? [ownRow()] : names.map((name) => ({ name, value: '', isNamedHere: false }));

/** The fields with a value, by name. Throws a sentence for people about a row that says too little or too much. */
export function fieldsOfRows(rows: readonly FieldRow[]): Record<string, string> {
  const fields = new Map<string, string>();
  for (const { name: typed, value } of rows) {
    const name = typed.trim();
    if (value === '') continue;
    if (name === '') throw new Error('Give each field that has a value a name.');
    if (fields.has(name)) throw new Error(`The field ${name} is there twice.`);
    fields.set(name, value);
  }
  return Object.fromEntries(fields);
}
