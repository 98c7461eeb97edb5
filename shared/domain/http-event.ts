import { JsonText, MAX_JSON_DEPTH, depthOf, toJson } from './json-text.ts';

/** Bodies above this are refused at the door (decisions, "Sources"). */
export const LARGEST_HTTP_BODY = 512 * 1024;

/** Text that is longer than this as JSON is control characters for the most part, and as text too large for the runner. */
const LARGEST_TEXT_JSON_BYTES = 2 * 1024 * 1024;

export interface HttpRequest {
  method: string;
  /** What follows the endpoint, with its leading slash. */
  path: string;
  /** As in the address, without the question mark. */
  query: string;
  /** Names in lower case. */
  headers: ReadonlyMap<string, string>;
  body: Buffer | undefined;
}

/** Added on the way by the gateway, not by who called. */
const isInternal = (name: string) => name === 'x-amzn-trace-id' || name.startsWith('x-forwarded-');

/** Members as JSON text: names such as `__proto__` and their order survive. */
const objectText = (members: Iterable<readonly [string, unknown]>) =>
  new JsonText(
    `{${[...members].map(([name, value]) => `${JSON.stringify(name)}:${toJson(value)}`).join(',')}}`,
  );

/** One value as it is, several of a name as an array. */
function fields(text: string): JsonText {
  const all = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const known = all.get(name);
    if (known === undefined) all.set(name, value);
    else if (Array.isArray(known)) known.push(value);
    else all.set(name, [known, value]);
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

function asText(body: Buffer): string | undefined {
  try {
    const text = utf8.decode(body);
    // No character becomes more than six bytes.
    const isSmall = text.length * 6 <= LARGEST_TEXT_JSON_BYTES;
    return isSmall || Buffer.byteLength(toJson(text)) <= LARGEST_TEXT_JSON_BYTES ? text : undefined;
  } catch {
    return undefined;
  }
}

function bodyMembers(body: Buffer | undefined, contentType: string): [string, unknown][] {
  if (body === undefined || body.length === 0) return [];
  const text = asText(body);
  if (text === undefined) {
    const base64 = body.toString('base64');
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

/** The event that a source's `run` gets for a request to its endpoint, as JSON text. */
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
 * The event that a source's `run` gets of what its app sent, as JSON text: the body alone, as JSON whatever it is called if that is what it
 * is; `{}` for nothing.
 */
export function appEvent(body: Buffer | undefined, contentType: string): string {
  const members = new Map(bodyMembers(body, contentType));
  const text = members.get('bodyRaw');
  if (typeof text !== 'string') return '{}';
  const isJsonText = depthOf(text) <= MAX_JSON_DEPTH && parses(text);
  return isJsonText ? text.trim() : toJson(members.get('body'));
}
