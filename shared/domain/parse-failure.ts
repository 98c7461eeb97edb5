import * as z from 'zod';
import { ServiceError } from './errors.ts';

/** Why a stored item or text cannot be read, without its content. Undefined for any other error. */
export function parseFailure(error: unknown): string | undefined {
  if (error instanceof ServiceError && error.code === 'unreadable') return parseFailure(error.cause);
  if (error instanceof z.ZodError) {
    const [issue] = error.issues;
    return issue && [...issue.path.map(String), issue.message].join(': ');
  }
  // The message of a SyntaxError quotes the text.
  if (error instanceof SyntaxError) return 'The text is not JSON';
  if (error instanceof Error && 'code' in error && error.code === 'Z_DATA_ERROR')
    return 'The bytes cannot be decompressed';
  return undefined;
}
