import { DeadlineExceeded, withDeadline } from '../../shared/client/deadline.ts';
import { unreachableFailure } from './failures.ts';
import { isThisMachine } from './service-address.ts';

/** A service that has not answered within this time counts as not there. */
const LONGEST_WAIT_MS = 30_000;

interface HttpRequestInput {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
  signal?: AbortSignal | undefined;
}

export interface HttpAnswer {
  status: number;
  headers: Pick<Headers, 'get'>;
  text: string;
}

export type HttpClient = (request: HttpRequestInput) => Promise<HttpAnswer>;

interface RequestOptions {
  method: string;
  headers: Record<string, string>;
  redirect: 'manual';
  signal: AbortSignal;
  body?: string;
}

/** fetch, of Node or of undici, whose types differ in members that are not used here. */
type Send = (
  url: string,
  options: RequestOptions,
) => Promise<{ status: number; headers: Pick<Headers, 'get'>; text(): Promise<string> }>;

type Environment = Readonly<Record<string, string | undefined>>;

/** Sends requests, through the proxy that the environment names. Follows no redirects, so that no other host gets the key. */
export function createHttpClient(env: Environment): HttpClient {
  let proxied: Promise<Send> | undefined;
  const fetchFor = async (url: string): Promise<Send> => {
    // A proxy for plain HTTP is a network's, which does not reach this machine.
    const isLocal = url.startsWith('http:') && isThisMachine(url);
    if (isLocal || !isProxied(env)) return fetch;
    return (proxied ??= proxiedFetch(env));
  };
  return async ({ method, url, headers, body, signal }) => {
    const send = await fetchFor(url);
    try {
      return await withDeadline({ ms: LONGEST_WAIT_MS, signal }, async (stop) => {
        const response = await send(url, {
          method,
          headers: { ...headers },
          redirect: 'manual',
          signal: stop,
          ...(body === undefined ? {} : { body }),
        });
        return { status: response.status, headers: response.headers, text: await response.text() };
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      const { origin } = new URL(url);
      throw error instanceof DeadlineExceeded
        ? unreachableFailure(`${origin} did not answer within 30 s.`, 'no_answer')
        : unreachableFailure(
            `No connection to ${origin}: ${reasonOf(error)}. Check the address, and that the service runs.`,
          );
    }
  };
}

/** A variable in capitals or in small letters; an empty one is not set. */
const variable = (env: Environment, name: string): string =>
  [env[name], env[name.toLowerCase()]].find((value) => value !== undefined && value !== '') ?? '';

const isProxied = (env: Environment): boolean =>
  ['HTTPS_PROXY', 'HTTP_PROXY'].some((name) => variable(env, name) !== '');

async function proxiedFetch(env: Environment): Promise<Send> {
  const { EnvHttpProxyAgent, fetch: undiciFetch } = await import('undici');
  const dispatcher = new EnvHttpProxyAgent({
    httpProxy: variable(env, 'HTTP_PROXY'),
    httpsProxy: variable(env, 'HTTPS_PROXY'),
    noProxy: variable(env, 'NO_PROXY'),
  });
  return (url, options) => undiciFetch(url, { ...options, dispatcher });
}

/** fetch hides the reason in the cause, and several attempts to connect in an aggregate. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const first = cause instanceof AggregateError ? (cause.errors as unknown[])[0] : cause;
  return first instanceof Error ? first.message : String(first);
}
