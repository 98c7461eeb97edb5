import { AwsError } from '../call.ts';
import { invalid, missing } from './errors.ts';

export type Input = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Input {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text that must be there and not be empty. */
export function requiredText(input: Input, name: string): string {
  const value = optionalText(input, name);
  if (value === undefined || value === '') throw missing(name);
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
  if (!Number.isInteger(value) || value < from || value > to) throw invalid(name, value, reason);
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
