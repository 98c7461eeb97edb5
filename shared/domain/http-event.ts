import type { BodyForm, CarriedEvent } from './carried-event.ts';
import { JsonText, MAX_JSON_DEPTH, depthOf, toJson } from './json-text.ts';

/** The ingress refuses larger bodies. */
export const LARGEST_HTTP_BODY = 512 * 1024;

/** Text with a longer JSON form, which is mostly control characters, is passed as base64: as text it is too large for the runner. */
const LARGEST_TEXT_JSON_BYTES = 2 * 1024 * 1024;

export interface HttpRequest {
  method: string;
  /** Path after the endpoint id, with its leading slash. */
  path: string;
  /** Raw query string, without the question mark. */
  query: string;
  /** Names in lower case. */
  headers: ReadonlyMap<string, string>;
  body: Body | undefined;
}

/** Bytes, or text. */
type Body = Buffer | string;

/** Headers that API Gateway adds to every request, and to those without a body. */
const ADDED = new Set(['forwarded', 'x-amzn-trace-id']);
const ADDED_WITHOUT_BODY = new Set(['content-length', 'content-type']);

const isAdded = (name: string, hasBody: boolean) =>
  ADDED.has(name) || name.startsWith('x-forwarded-') || (!hasBody && ADDED_WITHOUT_BODY.has(name));

/** An object as JSON text, which preserves names such as `__proto__` and the order of members. */
function objectText(members: Iterable<readonly [string, unknown]>): JsonText {
  let text = '';
  // Concatenation copies a large value once, when the text is first read; `join` would copy it twice.
  for (const [name, value] of members)
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${toJson(value)}`;
  return new JsonText(`{${text}}`);
}

/** Form fields as an object; repeated fields become an array. */
function fields(text: string): JsonText {
  const all = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const earlier = all.get(name);
    if (earlier === undefined) all.set(name, value);
    else if (Array.isArray(earlier)) earlier.push(value);
    else all.set(name, [earlier, value]);
  }
  return objectText(all);
}

const isJson = (mediaType: string) =>
  mediaType === 'application/json' || /^[^/]+\/[^/]+\+json$/.test(mediaType);

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const mediaTypeOf = (contentType: string) => (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();

const isAccepted = (text: string) => depthOf(text) <= MAX_JSON_DEPTH && parses(text);

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function asText(body: Body): string | undefined {
  try {
    const text = typeof body === 'string' ? body : utf8.decode(body);
    // A UTF-16 unit has at most 6 bytes in JSON: \u0000.
    const isSmall = text.length * 6 <= LARGEST_TEXT_JSON_BYTES;
    return isSmall || Buffer.byteLength(toJson(text)) <= LARGEST_TEXT_JSON_BYTES ? text : undefined;
  } catch {
    return undefined;
  }
}

interface ReceivedBody {
  bodyRaw: string;
  isBase64Encoded: boolean;
}

function receivedBody(body: Body | undefined): ReceivedBody | undefined {
  if (body === undefined || body.length === 0) return undefined;
  const text = asText(body);
  return text === undefined
    ? { bodyRaw: Buffer.from(body).toString('base64'), isBase64Encoded: true }
    : { bodyRaw: text, isBase64Encoded: false };
}

function formOf({ bodyRaw, isBase64Encoded }: ReceivedBody, mediaType: string): BodyForm {
  return !isBase64Encoded && isJson(mediaType) && isAccepted(bodyRaw) ? 'json' : 'text';
}

/** The event of a request to a source's endpoint. */
export function httpEvent({ method, path, query, headers, body }: HttpRequest): CarriedEvent {
  const received = receivedBody(body);
  const mediaType = mediaTypeOf(headers.get('content-type') ?? '');
  const isForm = mediaType === 'application/x-www-form-urlencoded' && received?.isBase64Encoded === false;
  const { text } = objectText([
    ['method', method],
    ['path', path],
    ['query', fields(query)],
    ['headers', objectText([...headers].filter(([name]) => !isAdded(name, received !== undefined)))],
    ...(received ? [['bodyRaw', received.bodyRaw] as const] : []),
    ...(isForm ? [['body', fields(received.bodyRaw)] as const] : []),
    ...(received?.isBase64Encoded === true ? [['isBase64Encoded', true] as const] : []),
  ]);
  return received && !isForm ? { json: text, body: formOf(received, mediaType) } : { json: text };
}

/**
 * The event of an app's request: the body alone, parsed as JSON when it is JSON, whatever its content type; `{}` without a body.
 */
export function appEvent(body: Body | undefined, contentType: string): CarriedEvent {
  const received = receivedBody(body);
  if (!received) return { json: '{}' };
  const { bodyRaw, isBase64Encoded } = received;
  if (isAccepted(bodyRaw)) return { json: bodyRaw.trim() };
  const isForm = mediaTypeOf(contentType) === 'application/x-www-form-urlencoded' && !isBase64Encoded;
  return { json: isForm ? fields(bodyRaw).text : toJson(bodyRaw) };
}
