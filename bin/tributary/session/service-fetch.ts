import type { Fetch } from '../../../shared/client/send.ts';
import { VERSION } from '../../../shared/domain/version.ts';
import { isThisMachine } from './service-address.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The `fetch` of the client: goes through the proxy that the environment names, and describes requests for `--debug`,
 * without the key.
 */
export function createServiceFetch(env: Environment, debug: (line: string) => void): Fetch {
  let proxied: Promise<Fetch> | undefined;
  const fetchFor = async (url: string): Promise<Fetch> => {
    // A proxy for plain HTTP is a network's, which does not reach this machine.
    const isLocal = url.startsWith('http:') && isThisMachine(url);
    if (isLocal || !isProxied(env)) return fetch;
    return (proxied ??= proxiedFetch(env));
  };
  return async (request) => {
    request.headers.set('user-agent', `tributary-cli/${VERSION}`);
    const begin = performance.now();
    debug(`> ${request.method} ${request.url}`);
    const send = await fetchFor(request.url);
    const response = await send(request);
    const ms = Math.round(performance.now() - begin);
    debug(`< ${response.status} ${ms} ms ${response.headers.get('x-request-id') ?? ''}`.trimEnd());
    return response;
  };
}

/** A variable in capitals or in small letters; an empty one is not set. */
const variable = (env: Environment, name: string): string =>
  [env[name], env[name.toLowerCase()]].find((value) => value !== undefined && value !== '') ?? '';

const isProxied = (env: Environment): boolean =>
  ['HTTPS_PROXY', 'HTTP_PROXY'].some((name) => variable(env, name) !== '');

/** The fetch of undici takes and makes objects of its own classes. */
async function proxiedFetch(env: Environment): Promise<Fetch> {
  const { EnvHttpProxyAgent, fetch: undiciFetch } = await import('undici');
  const dispatcher = new EnvHttpProxyAgent({
    httpProxy: variable(env, 'HTTP_PROXY'),
    httpsProxy: variable(env, 'HTTPS_PROXY'),
    noProxy: variable(env, 'NO_PROXY'),
  });
  return async (request) => {
    const { url, method, headers, redirect, signal } = request;
    const body = await request.text();
    return undiciFetch(url, {
      method,
      headers: [...headers],
      redirect,
      signal,
      dispatcher,
      ...(body === '' ? {} : { body }),
    });
  };
}
