import { isUtf8 } from 'node:buffer';
import { ServiceError } from '../../domain/errors.ts';
import { depthOf, MAX_JSON_DEPTH } from '../../domain/json-text.ts';
import { bodyOf, type IngressEvent } from './ingress-request.ts';

const LARGEST_BODY_BYTES = 1024 * 1024;

/** The text and the value of a JSON body, by the rules that hold for every body of the interface. */
export function jsonOf(event: IngressEvent): { text: string; value: unknown } {
  const body = bodyOf(event);
  if (!body || body.length === 0) {
    throw new ServiceError('invalid', 'invalid_request', 'A body is required.', {
      details: [{ path: '', message: 'is required' }],
    });
  }
  if (body.length > LARGEST_BODY_BYTES) {
    throw new ServiceError('too_large', 'too_large', 'The body must not exceed 1 MiB.');
  }
  if (!/^\s*application\/json\s*(;|$)/i.test(event.headers['content-type'] ?? '')) {
    throw new ServiceError(
      'unsupported_media_type',
      'unsupported_media_type',
      'Send the body as JSON, with "Content-Type: application/json".',
    );
  }
  if (!isUtf8(body)) throw malformed('it is not UTF-8');
  const text = body.toString('utf8').trim();
  if (depthOf(text) > MAX_JSON_DEPTH) {
    throw new ServiceError(
      'invalid',
      'too_deep',
      `The body must not nest deeper than ${MAX_JSON_DEPTH} levels.`,
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw malformed(error instanceof Error ? error.message : 'it cannot be read', error);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { text, value };
  throw new ServiceError('invalid', 'invalid_request', 'The body must be a JSON object.', {
    details: [{ path: '', message: 'must be a JSON object' }],
  });
}

const malformed = (why: string, cause?: unknown) =>
  new ServiceError('invalid', 'malformed_json', `The body is not valid JSON: ${why}.`, { cause });
