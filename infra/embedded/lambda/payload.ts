import { Uint8ArrayBlobAdapter } from '@smithy/core/serde';
import type { Input } from '../call.ts';
import { invalidPayload, payloadTooLarge } from './errors.ts';
import { hasAtMost, jsonCopy } from './json-copy.ts';
import type { FunctionError } from './outcome.ts';

/** https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html A response may be 100 bytes longer. */
export const MAX_REQUEST_BYTES = 6_291_456;
export const MAX_RESPONSE_BYTES = 6_291_556;

/**
 * The event of an invocation: its payload, or the member `PayloadValue`, which a caller in this process sends instead.
 * The function gets a copy, as if the value had been written and read.
 */
export function eventOf({ Payload, PayloadValue }: Input): unknown {
  if (PayloadValue === undefined) return eventIn(Payload);
  const copy = jsonCopy(PayloadValue);
  // The text of a value that may be too large is measured.
  return hasAtMost(copy, MAX_REQUEST_BYTES) ? copy.value : eventIn(JSON.stringify(PayloadValue));
}

function eventIn(payload: unknown): unknown {
  const text = textOf(payload);
  // A UTF-16 unit has at most 3 bytes in UTF-8, so most payloads need no byte count.
  const length = text.length * 3 > MAX_REQUEST_BYTES ? Buffer.byteLength(text) : 0;
  if (length > MAX_REQUEST_BYTES) {
    const message = `${length} byte payload is too large for the RequestResponse invocation type (limit ${MAX_REQUEST_BYTES} bytes)`;
    throw payloadTooLarge(message);
  }
  if (text === '') return {};
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : '';
    throw invalidPayload(`Could not parse request body into json: ${reason}`);
  }
}

function textOf(payload: unknown): string {
  if (payload === undefined) return '';
  if (typeof payload === 'string') return payload;
  if (payload instanceof Uint8Array)
    return Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength).toString();
  throw invalidPayload('Payload must be text or bytes.');
}

const responseTooLarge: FunctionError = {
  errorType: 'Function.ResponseSizeTooLarge',
  errorMessage: `Response payload size exceeded maximum allowed payload size (${MAX_RESPONSE_BYTES} bytes).`,
};

/** The response of a function as the bytes that Lambda sends, or its error. */
export function responseBytes(value: unknown): Buffer | FunctionError {
  let text: string;
  try {
    // A value that JSON lacks (undefined, a function) becomes null, as in Lambda's Node runtime.
    text = (JSON.stringify(value) as string | undefined) ?? 'null';
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    return {
      errorType: 'Runtime.MarshalError',
      errorMessage: `Unable to stringify response body: ${reason}`,
    };
  }
  const bytes = Buffer.from(text);
  return bytes.length > MAX_RESPONSE_BYTES ? responseTooLarge : bytes;
}

/** Bytes as SDK clients give payloads: with `transformToString`. */
export const blob = (bytes: Uint8Array): Uint8Array => Uint8ArrayBlobAdapter.mutate(bytes);
