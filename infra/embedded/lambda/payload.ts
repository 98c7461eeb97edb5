import { Uint8ArrayBlobAdapter } from '@smithy/core/serde';
import { AwsError } from '../call.ts';
import type { FunctionError } from './outcome.ts';

/** https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html; the answer may be 100 bytes longer. */
export const MAX_REQUEST_BYTES = 6_291_456;
export const MAX_ASYNC_REQUEST_BYTES = 1_048_576;
export const MAX_ANSWER_BYTES = 6_291_556;

/** The event of an `Invoke`, and how AWS refuses one that is none. */
export function eventOf(payload: unknown, { limit, type }: { limit: number; type: string }): unknown {
  const text = textOf(payload);
  const length = Buffer.byteLength(text);
  if (length > limit) {
    const message = `${length} byte payload is too large for the ${type} invocation type (limit ${limit} bytes)`;
    throw new AwsError('RequestTooLargeException', message, { statusCode: 413 });
  }
  if (text === '') return {};
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : '';
    throw new AwsError('InvalidRequestContentException', `Could not parse request body into json: ${reason}`);
  }
}

function textOf(payload: unknown): string {
  if (payload === undefined) return '';
  if (typeof payload === 'string') return payload;
  if (payload instanceof Uint8Array)
    return Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength).toString();
  throw new AwsError('InvalidRequestContentException', 'Payload must be text or bytes.');
}

export const tooLarge: FunctionError = {
  errorType: 'Function.ResponseSizeTooLarge',
  errorMessage: `Response payload size exceeded maximum allowed payload size (${MAX_ANSWER_BYTES} bytes).`,
};

/** The answer of a function as the bytes that Lambda sends, or what is wrong with it. */
export function answerBytes(value: unknown): Buffer | FunctionError {
  let text: string;
  try {
    // What JSON has no word for (undefined, a function) is null, as Lambda's Node runtime has it.
    text = (JSON.stringify(value) as string | undefined) ?? 'null';
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    return {
      errorType: 'Runtime.MarshalError',
      errorMessage: `Unable to stringify response body: ${reason}`,
    };
  }
  const bytes = Buffer.from(text);
  return bytes.length > MAX_ANSWER_BYTES ? tooLarge : bytes;
}

/** Bytes as the SDK gives payloads: with `transformToString`. */
export const blob = (bytes: Uint8Array): Uint8Array => Uint8ArrayBlobAdapter.mutate(bytes);
