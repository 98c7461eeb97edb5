import { session } from './key-session.ts';
import { ApiError } from './refused-request.ts';
import type { SessionState, Single } from './wire.ts';

type Query = Readonly<Record<string, string | number | undefined>>;

interface RequestOptions {
  query?: Query;
  /** An object is sent as JSON. */
  body?: unknown;
  /** JSON text to send as it is. */
  text?: string;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
  /** The key to use instead of the session's. Empty: the request has no credentials, such as one with a token. */
  key?: string;
  /** Whether the request changes nothing, as every `GET`. */
  isRead?: boolean;
}

let lastId: string | undefined;

/** The id of the last answered request, for a report. */
export const lastRequestId = (): string | undefined => lastId;

/** Reads that are cached may be out of date after a write, also after one without a response. */
const writeListeners = new Set<() => void>();
export const onWrite = (listener: () => void): unknown => writeListeners.add(listener);

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Time limit of the service's responses, and some more for the way. */
const TIMEOUT_MS = 35_000;

/**
 * Sends a request to the API of this origin. `Answer` is the type of the answer's JSON, undefined for a response
 * without a body. A 401 ends the session, unless the request has a key of its own.
 */
export async function request<HttpResponse>(
  method: Method,
  path: string,
  options: RequestOptions = {},
): Promise<HttpResponse> {
  try {
    return parsed(await textOf(method, path, options));
  } finally {
    if (method !== 'GET' && options.isRead !== true) for (const listener of writeListeners) listener();
  }
}

/** The text of a response, for data that parsing would change: large numbers and the order of members. */
export const requestText = (path: string, options: RequestOptions = {}): Promise<string> =>
  textOf('GET', path, options);

async function textOf(method: Method, path: string, options: RequestOptions, isRepeated = false): Promise<string> {
  const { identity } = session;
  const response = await send(method, path, options);
  const text = await response.text();
  if (response.ok) return text;
  const error = refusalOf(response, text);
  // A late refusal of an earlier key does not end the session of the next one.
  if (options.key !== undefined || session.identity !== identity) throw error;
  if (session.person && !isRepeated && RENEWED.has(error.code)) {
    await renewSession();
    // A request of one person is not sent as another.
    if (session.identity === identity) return textOf(method, path, options, true);
  } else if (response.status === 401) session.expire(error.message);
  throw error;
}

/** The cookie needs a renewal, or another tab has signed in again. */
const RENEWED: ReadonlySet<string> = new Set(['session_stale', 'missing_csrf']);

const ENDED = 'The session has ended. Sign in again.';

let renewal: Promise<SessionState> | undefined;

/**
 * Reads who is signed in; the service renews the session on the way. Requests of one moment share it. The page then
 * shows that person, unless `isEntered` is false.
 */
export function renewSession(isEntered = true): Promise<SessionState> {
  renewal ??= textOf('GET', '/session', {}, true)
    .then((text) => {
      const { data }: Single<SessionState> = parsed(text);
      session.provider = data.sign_in;
      if (!isEntered || !session.takesCookie) return data;
      if (data.session) session.enterAs(data.session);
      else session.expire(ENDED);
      return data;
    })
    .finally(() => {
      renewal = undefined;
    });
  return renewal;
}

async function send(method: Method, path: string, options: RequestOptions): Promise<Response> {
  const { query = {}, body, signal, key = session.key ?? '' } = options;
  const text = body === undefined ? options.text : JSON.stringify(body);
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const hasCookie = options.key === undefined && session.takesCookie;
  try {
    const response = await fetch(`/v1${path}${queryText(query)}`, {
      method,
      headers: {
        ...options.headers,
        ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
        ...(hasCookie && method !== 'GET' ? { 'x-csrf': session.person?.csrf ?? '' } : {}),
        ...(text === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(text === undefined ? {} : { body: text }),
      cache: 'no-store',
      credentials: hasCookie ? 'same-origin' : 'omit',
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    lastId = response.headers.get('x-request-id') ?? lastId;
    return response;
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new ApiError(0, { error: unreachable(key, timeout.aborted), code: 'unreachable' });
  }
}

/** A header takes no other characters, and `fetch` would not even send the request. */
const IS_HEADER_TEXT = /^[\x21-\x7e]*$/;

function unreachable(key: string, isTimeout: boolean): string {
  if (!IS_HEADER_TEXT.test(key)) return 'An API key has no spaces and no characters beyond ASCII.';
  if (isTimeout) return 'The service did not answer in time. Try again.';
  return 'The service cannot be reached. Check that it runs, and try again.';
}

function queryText(query: Query): string {
  const entries = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries).toString()}`;
}

const parsed = (text: string) => (text === '' ? undefined : JSON.parse(text));

/** API Gateway's own responses have a `message` in the place of `error`. */
function refusalOf({ status }: Response, text: string): ApiError {
  try {
    const { error, code, details, message, request_id } = JSON.parse(text);
    const sentence = error ?? message;
    if (typeof sentence === 'string')
      return new ApiError(status, { error: sentence, code: code ?? String(status), details, request_id });
  } catch {
    // The response is no JSON. It comes from a proxy.
  }
  return new ApiError(status, { error: `The service answered with status ${status}.`, code: String(status) });
}

export const segment = (id: string): string => encodeURIComponent(id);
