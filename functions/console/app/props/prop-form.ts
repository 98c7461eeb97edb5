import type { FieldDefinition } from './prop-schema.ts';

/** The state of one field: a value, undefined when unset, or a text that is no value. */
export type FieldState = { value: unknown } | { text: string; problem: string };

/** The states of the fields that a person changed, by name. */
export type FormState = ReadonlyMap<string, FieldState>;

/** The stored values, with those of the form in their places. */
export function valuesOf(
  fields: readonly FieldDefinition[],
  state: FormState,
  stored: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const values = new Map(Object.entries(stored));
  for (const { name } of fields) {
    const own = state.get(name);
    if (own && 'value' in own) {
      if (own.value === undefined) values.delete(name);
      else values.set(name, own.value);
    }
  }
  return Object.fromEntries(values);
}

/** The changed values, for an update. Null unsets a prop. */
export function changesOf(fields: readonly FieldDefinition[], state: FormState): Record<string, unknown> {
  const names = new Set(fields.map(({ name }) => name));
  return Object.fromEntries(
    [...state].flatMap(([name, own]): [string, unknown][] =>
      names.has(name) && 'value' in own ? [[name, own.value ?? null]] : [],
    ),
  );
}

/** The states that differ from those that were sent. */
export const statesSince = (sent: FormState, latest: FormState): FormState =>
  new Map([...latest].filter(([name, own]) => sent.get(name) !== own));

/** Fields that need a value and have none, and texts that are no values. */
export function problemsOf(
  fields: readonly FieldDefinition[],
  state: FormState,
  stored: Readonly<Record<string, unknown>> = {},
): ReadonlyMap<string, string> {
  const values = valuesOf(fields, state, stored);
  const problems = new Map<string, string>();
  for (const { name, label, type, app, isOptional, isDisabled } of fields) {
    const own = state.get(name);
    if (own && 'problem' in own) problems.set(name, own.problem);
    else if (!isOptional && !isDisabled && !NEVER_REQUIRED.has(type) && ownMember(values, name) === undefined)
      problems.set(
        name,
        type === 'app' ? `${app ?? label} needs an account: choose one, or connect one.` : `${label} needs a value.`,
      );
  }
  return problems;
}

const NEVER_REQUIRED = new Set(['alert', '$.interface.timer']);

/** A prop may be named like a member of `Object.prototype`. */
export const ownMember = (values: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(values, name) ? values[name] : undefined;
