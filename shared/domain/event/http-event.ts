import type { CarriedEvent } from './carried-event.ts';
import { objectText, queryText } from './form-fields.ts';
import { type EncodedBody, readBody } from './http-body.ts';
import { JsonText, toJson } from '../../lib/json-text.ts';

/** The ingress refuses larger bodies. */
export const LARGEST_HTTP_BODY = 512 * 1024;

export interface HttpRequest {
  method: string;
  /** Path after the endpoint's address, decoded, with its leading slash. */
  path: string;
  /** Raw query string, without the question mark. */
  query: string;
  /** Names in lower case. */
  headers: ReadonlyMap<string, string>;
  body: EncodedBody | undefined;
  clientIp: string;
  /** The whole address as the sender wrote it, without its query. */
  address: string;
}

/** Headers that API Gateway adds to every request, and to those without a body. */
const ADDED = new Set(['forwarded', 'x-amzn-trace-id']);
const ADDED_WITHOUT_BODY = new Set(['content-length', 'content-type']);

const OF_ENCODED_BODY = new Set(['content-encoding', 'content-length']);

/** Headers that a sender did not send, or that do not fit the event. */
const isLeftOut = (name: string, body: EncodedBody | undefined) =>
  ADDED.has(name) ||
  name.startsWith('x-forwarded-') ||
  (!body && ADDED_WITHOUT_BODY.has(name)) ||
  (body?.isDecoded === true && OF_ENCODED_BODY.has(name));

export function httpEvent(request: HttpRequest): CarriedEvent {
  const { method, path, query, address, headers, clientIp } = request;
  const body = readBody(request.body, headers.get('content-type') ?? '');
  const { text } = objectText([
    ['method', method],
    ['path', path],
    ['query', queryText(query)],
    ['url', query === '' ? address : `${address}?${query}`],
    ['client_ip', clientIp],
    ['headers', objectText([...headers].filter(([name]) => !isLeftOut(name, body && request.body)))],
    ...(body ? [['bodyRaw', body.bodyRaw] as const] : []),
    ...(body?.value instanceof JsonText ? [['body', body.value] as const] : []),
    ...(body?.isBase64Encoded === true ? [['isBase64Encoded', true] as const] : []),
  ]);
  return !body || body.value instanceof JsonText ? { json: text } : { json: text, body: body.value };
}

/** JSON text of a body alone; `{}` without a body. */
export function bodyText(body: EncodedBody | undefined, contentType: string): string {
  const read = readBody(body, contentType);
  if (!read) return '{}';
  const { bodyRaw, value } = read;
  if (value instanceof JsonText) return value.text;
  return value === 'json' ? bodyRaw.trim() : toJson(bodyRaw);
}
