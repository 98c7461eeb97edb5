import { AwsError, type Input } from '../call.ts';
import { invalidValue, missingParameter } from './errors.ts';

export function isRecord(value: unknown): value is Input {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text that must be present and not empty. */
export function requiredText(input: Input, name: string): string {
  const value = optionalText(input, name);
  if (value === undefined || value === '') throw missingParameter(name);
  return value;
}

export function optionalText(input: Input, name: string): string | undefined {
  const value = input[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw wrongType(name, 'String');
  return value;
}

export function optionalInteger(
  input: Input,
  name: string,
  { from, to, reason }: { from: number; to: number; reason: string },
): number | undefined {
  const value = input[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number') throw wrongType(name, 'Integer');
  if (!Number.isInteger(value) || value < from || value > to) throw invalidValue(name, value, reason);
  return value;
}

export function optionalTexts(input: Input, name: string): readonly string[] {
  const value = input[name];
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw wrongType(name, 'List');
  return value.map((item: unknown) => {
    if (typeof item !== 'string') throw wrongType(name, 'String');
    return item;
  });
}

export const wrongType = (name: string, expected: string) =>
  new AwsError('SerializationException', `The value of ${name} is not of type ${expected}.`);
