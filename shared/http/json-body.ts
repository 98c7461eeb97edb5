import { isUtf8 } from 'node:buffer';
import { ServiceError } from '../domain/errors.ts';
import { LARGEST_BODY_BYTES } from '../domain/limits.ts';
import { jsonProblem } from '../lib/json-problem.ts';
import { MAX_JSON_DEPTH, MAX_JSON_VALUES, shapeOf } from '../lib/json-text.ts';
import { unreadBytes } from './unread-bytes.ts';

/** The part of a gateway's event that has the body. */
export interface BodyEvent {
  body?: string | undefined;
  isBase64Encoded: boolean;
  headers: Readonly<Record<string, string | undefined>>;
}

/**
 * The text of a JSON body, checked against the limits, but not parsed. Undefined for an empty body, whatever its
 * Content-Type. An event may have any number of values.
 */
export function jsonBodyText(event: BodyEvent, { isEvent }: { isEvent: boolean }): string | undefined {
  const { body = '', isBase64Encoded, headers } = event;
  const unread = unreadBytes(event);
  if (unread > LARGEST_BODY_BYTES) throw tooLarge(unread);
  if (body === '') return undefined;
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > LARGEST_BODY_BYTES) throw tooLarge(bytes.length);
  if (!/^\s*application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) {
    throw new ServiceError(
      'unsupported_media_type',
      'Send the body as JSON, with the header "Content-Type: application/json".',
    );
  }
  const encoding = headers['content-encoding'] ?? '';
  if (!/^\s*(identity\s*)?$/i.test(encoding)) {
    throw new ServiceError('unsupported_media_type', 'Send the body as it is: the API decodes no Content-Encoding.');
  }
  if (!isUtf8(bytes)) throw malformedJson('it is not UTF-8');
  const text = bytes.toString('utf8');
  const { depth, values } = shapeOf(text);
  if (depth > MAX_JSON_DEPTH) {
    throw new ServiceError(
      'too_deep',
      `The body must not nest deeper than ${MAX_JSON_DEPTH} levels; this one has ${depth}.`,
    );
  }
  if (!isEvent && values > MAX_JSON_VALUES) {
    const message = `must not have more than ${MAX_JSON_VALUES} values (members and elements at all levels)`;
    throw new ServiceError('too_many_values', `The body ${message}.`, {
      details: [{ path: '', message }],
    });
  }
  return text;
}

export const parseJsonBody = (text: string): Record<string, unknown> => jsonObject(parsedJson(text));

/** The value of a body, of any type. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw malformedJson(jsonProblem(text), error);
  }
}

/** Throws `invalid_request` for a body that is not a JSON object. */
export function jsonObject(value: unknown): Record<string, unknown> {
  if (isObject(value)) return value;
  throw new ServiceError('invalid_request', 'The body must be a JSON object.', {
    details: [{ path: '', message: 'must be a JSON object' }],
  });
}

/** Not a copy, which would cost twice as much as parsing. */
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const tooLarge = (length: number) =>
  new ServiceError(
    'too_large',
    `The body has ${length} bytes; it must not exceed 1 MiB (${LARGEST_BODY_BYTES} bytes).`,
  );

export const malformedJson = (why: string, cause?: unknown) =>
  new ServiceError('malformed_json', `The body is not valid JSON: ${why}.`, { cause });
