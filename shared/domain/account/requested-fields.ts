import * as z from 'zod';
import { cut } from '../../lib/cut.ts';
import type { ErrorDetail } from '../errors.ts';
import { isWellFormed } from '../text.ts';
import type { Account, AccountFields } from './account.ts';

/** Limit of the serialised fields, far below the 400 KB of a DynamoDB item. */
export const LARGEST_FIELDS_BYTES = 64 * 1024;
const MAX_FIELDS = 50;
const LONGEST_NAME = 64;
const NAME = new RegExp(`^[A-Za-z0-9_.-]{1,${LONGEST_NAME}}$`);

/** New values by name; null removes a field. */
export type AccountFieldChanges = Readonly<Record<string, string | null>>;

function nameProblem(name: string): string | undefined {
  if (name === '__proto__') return 'must have another name: this one is reserved';
  return NAME.test(name) ? undefined : `must have a name of 1 to ${LONGEST_NAME} letters, digits, _, - and .`;
}

/** The problem of a value. Never contains the value, which is a secret. */
function valueProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  if (value.includes('\0')) return 'must not contain a NUL character';
  return isWellFormed(value) ? undefined : 'must not contain half of a surrogate pair';
}

const tooMany = `must have 1 to ${MAX_FIELDS} names`;
const tooLarge = `must have at most ${LARGEST_FIELDS_BYTES / 1024} KB together`;
const hasRoom = (fields: AccountFields) => Buffer.byteLength(JSON.stringify(fields)) <= LARGEST_FIELDS_BYTES;

/**
 * An object of field values by name, as in a request. Not `z.record`, which would drop the name `__proto__` without an
 * error.
 */
const fieldsInput = <Value>(read: (value: unknown) => { value: Value } | { problem: string }) =>
  z
    .custom<Record<string, unknown>>(
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      'must be an object of strings',
    )
    .transform((object, context): Record<string, Value> => {
      const entries = Object.entries(object);
      const refuse = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
      if (entries.length === 0 || entries.length > MAX_FIELDS) {
        refuse([], tooMany);
        return z.NEVER;
      }
      const fields: [string, Value][] = [];
      for (const [name, value] of entries) {
        const found = read(value);
        const problem = nameProblem(name) ?? ('problem' in found ? found.problem : undefined);
        if (problem !== undefined) refuse([cut(name, LONGEST_NAME)], problem);
        else if ('value' in found) fields.push([name, found.value]);
      }
      return Object.fromEntries(fields);
    });

const readValue = (value: unknown): { value: string } | { problem: string } => {
  const problem = valueProblem(value);
  return problem === undefined ? { value: String(value) } : { problem };
};

const jsonSchema = (type: string | string[]) => ({
  type: 'object',
  minProperties: 1,
  maxProperties: MAX_FIELDS,
  additionalProperties: { type },
});

export const NewAccountFields = fieldsInput(readValue)
  .refine(hasRoom, tooLarge)
  .meta({ jsonSchema: jsonSchema('string') });

/** Changes of some fields. */
export const ChangedAccountFields = fieldsInput((value) => (value === null ? { value } : readValue(value))).meta({
  jsonSchema: jsonSchema(['string', 'null']),
});

export function withFieldChanges(fields: AccountFields, changes: AccountFieldChanges): AccountFields {
  const all = Object.entries({ ...fields, ...changes });
  return Object.fromEntries(
    all.flatMap(([name, value]): [string, string][] => (value === null ? [] : [[name, value]])),
  );
}

/** The problems of changed fields: of fields that the provider fills, and of the number and size of the others. */
export function fieldChangeProblems(
  { oauth }: Pick<Account, 'oauth'>,
  { changes, changed }: { changes: AccountFieldChanges; changed: AccountFields },
): ErrorDetail[] {
  const provided = new Set(oauth?.providedFields);
  const taken = Object.keys(changes).filter((name) => provided.has(name));
  if (taken.length > 0)
    return taken.map((name) => ({
      path: `fields.${name}`,
      message: 'must not be set: the provider of the app fills it',
    }));
  const own = Object.fromEntries(Object.entries(changed).filter(([name]) => !provided.has(name)));
  const count = Object.keys(own).length;
  if (count > MAX_FIELDS || (count === 0 && !oauth)) return [{ path: 'fields', message: tooMany }];
  return hasRoom(own) ? [] : [{ path: 'fields', message: tooLarge }];
}
