import type * as z from 'zod';
import { type ErrorCode, type ErrorDetail, errorCodes, ServiceError } from './errors.ts';

/** Parses input of a caller. Throws `invalid`, unlike a stored item that fails its schema, which is a bug. */
export function check<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value, { error: messageOf });
  if (result.success) return result.data;
  const { issues } = result.error;
  const details = issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  throw new ServiceError(codeOf(issues), sentence(details), { details });
}

/** One wrong field or parameter. `subject` names it in the sentence. */
export const invalidField = (path: string, message: string, subject = path): ServiceError =>
  new ServiceError('invalid_request', `${subject} ${message}.`, { details: [{ path, message }] });

/** `limit must be an integer from 1 to 100.` */
export function sentence(details: readonly ErrorDetail[]): string {
  const [first = { path: '', message: 'The request is not valid' }] = details;
  const text = first.path === '' ? first.message : `${first.path} ${first.message}`;
  return `${first.path === '' ? text.charAt(0).toUpperCase() + text.slice(1) : text}.`;
}

/** The problem as a text that follows the parameter's name. */
function messageOf(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') {
    return issue.input === undefined ? 'is required' : `must be ${TYPES[issue.expected] ?? `a ${issue.expected}`}`;
  }
  if (issue.code === 'invalid_value') return `must be ${issue.values.map(String).join(' or ')}`;
  return undefined;
}

const TYPES: Record<string, string> = {
  string: 'a string',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  int: 'an integer',
};

function codeOf(issues: readonly z.core.$ZodIssue[]): ErrorCode {
  for (const issue of issues) {
    const named: unknown = issue.code === 'custom' ? issue.params?.['code'] : undefined;
    const code = errorCodes.find((candidate) => candidate === named);
    if (code !== undefined) return code;
  }
  return 'invalid_request';
}
