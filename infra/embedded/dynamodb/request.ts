import { AwsError, type Input } from '../call.ts';
import { validationException } from '../common-errors.ts';
import type { Table } from './rows/table.ts';
import type { Attributes } from './values/value.ts';
import { takeItem } from './values/take-item.ts';

/** Finds a table by name or ARN. */
export type FindTable = (name: unknown) => Table;

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** A required member. */
export function required(input: Input, member: string): unknown {
  const value = input[member];
  if (value === undefined || value === null) throw constraint(null, lowerFirst(member), 'Member must not be null');
  return value;
}

export function textIn(input: Input, member: string): string | undefined {
  const value = input[member];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string')
    throw new AwsError('SerializationException', `${typeof value} cannot be converted to String`);
  return value;
}

/** A checked copy of the key or item in a request. */
export function attributes(input: Input, member: string): Attributes {
  return takeItem(required(input, member)).item;
}

export function constraint(value: unknown, at: string, rule: string): AwsError {
  const shown = value === null ? 'null' : `'${typeof value === 'object' ? JSON.stringify(value) : String(value)}'`;
  return validationException(
    `1 validation error detected: Value ${shown} at '${at}' failed to satisfy constraint: ${rule}`,
  );
}

export function oneOf<const T extends string>(
  input: Input,
  member: string,
  choices: readonly [T, ...T[]],
): T | undefined {
  const value = textIn(input, member);
  if (value === undefined) return undefined;
  const choice = choices.find((each) => each === value);
  if (choice === undefined) {
    throw constraint(value, lowerFirst(member), `Member must satisfy enum value set: [${choices.join(', ')}]`);
  }
  return choice;
}

/** Parameters that nothing here sends. A request with one of them is refused, because to ignore it would be wrong. */
const UNKNOWN = [
  ...['AttributesToGet', 'AttributeUpdates', 'Expected', 'ConditionalOperator', 'KeyConditions', 'QueryFilter'],
  ...['IndexName', 'ReturnValuesOnConditionCheckFailure'],
];

export function refuseUnknown(input: Input): void {
  for (const member of UNKNOWN)
    if (input[member] !== undefined) throw validationException(`The parameter ${member} is not supported.`);
}

function lowerFirst(member: string): string {
  return member.charAt(0).toLowerCase() + member.slice(1);
}
