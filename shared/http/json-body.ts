import type { MiddlewareObj, Request } from '@middy/core';
import parseJsonBody from '@middy/http-json-body-parser';
import { isUtf8 } from 'node:buffer';
import { ServiceError } from '../domain/errors.ts';
import { depthOf, MAX_JSON_DEPTH } from '../domain/json-text.ts';
import { type ApiEvent, type ApiResult, exchangeOf } from './exchange.ts';

const LARGEST_BODY_BYTES = 1024 * 1024;

const parser = parseJsonBody<ApiEvent>();

/**
 * Takes a JSON object of at most 1 MiB and 256 levels. An empty body is no body, whatever its Content-Type; the body of a GET is not
 * looked at.
 */
export const jsonBody = (): MiddlewareObj<ApiEvent, ApiResult> => ({
  before: async (request) => {
    const { event } = request;
    const { body = '', isBase64Encoded, headers } = event;
    if (body === '' || event.requestContext.http.method === 'GET') return;
    const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
    if (bytes.length > LARGEST_BODY_BYTES) {
      throw new ServiceError('too_large', 'too_large', 'The body must not exceed 1 MiB.');
    }
    if (!/^\s*application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) {
      throw new ServiceError(
        'unsupported_media_type',
        'unsupported_media_type',
        'Send the body as JSON, with "Content-Type: application/json".',
      );
    }
    if (!isUtf8(bytes)) throw malformed('it is not UTF-8');
    const exchange = exchangeOf(event);
    exchange.text = bytes.toString('utf8');
    if (depthOf(exchange.text) > MAX_JSON_DEPTH) {
      throw new ServiceError(
        'invalid',
        'too_deep',
        `The body must not nest deeper than ${MAX_JSON_DEPTH} levels.`,
      );
    }
    exchange.json = objectOf(await parsed({ ...request, event: { ...event, ...plain(exchange.text) } }));
  },
});

/** What the parser looks at, once ours has looked closer. */
const plain = (text: string) => ({
  headers: { 'content-type': 'application/json' },
  body: text,
  isBase64Encoded: false,
});

/** The parser answers 415 to broken JSON; here that is a 400 that says where it broke. */
async function parsed(request: Request<ApiEvent, ApiResult>): Promise<unknown> {
  try {
    await parser.before?.(request);
    return request.event.body;
  } catch (error) {
    throw malformed(reasonOf(error), error);
  }
}

function reasonOf(error: unknown): string {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  if (typeof cause !== 'object' || cause === null || !('message' in cause)) return 'it cannot be read';
  return String(cause.message);
}

function objectOf(value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new ServiceError('invalid', 'invalid_request', 'The body must be a JSON object.', {
    details: [{ path: '', message: 'must be a JSON object' }],
  });
}

const malformed = (why: string, cause?: unknown) =>
  new ServiceError('invalid', 'malformed_json', `The body is not valid JSON: ${why}.`, { cause });
