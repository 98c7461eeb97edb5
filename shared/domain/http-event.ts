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

/** Headers that API Gateway adds. */
const isInternal = (name: string) => name === 'x-amzn-trace-id' || name.startsWith('x-forwarded-');

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

function parsedBody(text: string, contentType: string): unknown {
  const mediaType = (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
  if (mediaType === 'application/x-www-form-urlencoded') return fields(text);
  if (isJson(mediaType) && depthOf(text) <= MAX_JSON_DEPTH && parses(text)) return new JsonText(text.trim());
  return text;
}

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

function bodyMembers(body: Body | undefined, contentType: string): [string, unknown][] {
  if (body === undefined || body.length === 0) return [];
  const text = asText(body);
  if (text === undefined) {
    const base64 = Buffer.from(body).toString('base64');
    return [
      ['bodyRaw', base64],
      ['body', base64],
      ['isBase64Encoded', true],
    ];
  }
  return [
    ['bodyRaw', text],
    ['body', parsedBody(text, contentType)],
  ];
}

/** The event of a request to a source's endpoint, as JSON text. */
export function httpEvent({ method, path, query, headers, body }: HttpRequest): string {
  return objectText([
    ['method', method],
    ['path', path],
    ['query', fields(query)],
    ['headers', objectText([...headers].filter(([name]) => !isInternal(name)))],
    ...bodyMembers(body, headers.get('content-type') ?? ''),
  ]).text;
}

/**
 * The event of an app's request, as JSON text: the body alone, parsed as JSON when it is JSON, whatever its content type; `{}` without
 * a body.
 */
export function appEvent(body: Body | undefined, contentType: string): string {
  const members = new Map(bodyMembers(body, contentType));
  const text = members.get('bodyRaw');
  if (typeof text !== 'string') return '{}';
  const isJsonText = depthOf(text) <= MAX_JSON_DEPTH && parses(text);
  return isJsonText ? text.trim() : toJson(members.get('body'));
}
