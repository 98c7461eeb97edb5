import {
  allowInsecureRequests,
  type AuthorizationServer,
  customFetch,
  discoveryRequest,
  processDiscoveryResponse,
} from 'oauth4webapi';
import { HOUR_MS } from '../../lib/durations.ts';
import { cachedRead, TtlCache } from '../../lib/ttl-cache.ts';
import { NoResponseError, type ProviderFetch } from '../oauth/provider-fetch.ts';

/** Time limit of each request. */
const REQUEST_MS = 5_000;
/** oauth4webapi keeps the keys of a provider with this object, and fetches them after 5 minutes again. */
const CACHE_MS = HOUR_MS;

interface Fetches {
  /** For the origin of the issuer, which the operator chose: its address may be private. */
  ofIssuer: ProviderFetch;
  /** For the other addresses that it names. */
  ofOthers: ProviderFetch;
}

interface StandardRequest {
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: unknown;
}

/** `fetch` of the requests to one identity provider, in the terms of oauth4webapi. */
export const identityOptions = ({ ofIssuer, ofOthers }: Fetches, issuer: string) => ({
  [customFetch]: (url: string, { method, headers, body }: StandardRequest): Promise<Response> => {
    const fetch = new URL(url).origin === new URL(issuer).origin ? ofIssuer : ofOthers;
    const text = body instanceof URLSearchParams || typeof body === 'string' ? String(body) : undefined;
    return fetch('operator', url, { method, headers, body: text, timeoutMs: REQUEST_MS });
  },
  // Only for an issuer of this machine: the settings refuse every other one.
  [allowInsecureRequests]: issuer.startsWith('http:'),
});

/** The metadata that a sign-in needs. */
interface DiscoveredServer {
  server: AuthorizationServer;
  authorization: string;
}

export type Discover = (issuer: string) => Promise<DiscoveredServer>;

const NEEDED = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;

export function createDiscovery(fetches: Fetches, now: () => number): Discover {
  const cache = new TtlCache<string, Promise<DiscoveredServer>>({ ttlMs: CACHE_MS, maxEntries: 4, now });
  return (issuer) => cachedRead(cache, issuer, () => discover(fetches, issuer));
}

async function discover(fetches: Fetches, issuer: string): Promise<DiscoveredServer> {
  const url = new URL(issuer);
  const response = await discoveryRequest(url, identityOptions(fetches, issuer));
  if (response.status !== 200)
    throw new NoResponseError(
      `${discoveryAddress(issuer)} answered with status ${response.status}; the issuer must be exactly as the provider names it`,
    );
  const server = await processDiscoveryResponse(url, response);
  for (const name of NEEDED) {
    const address = server[name];
    if (address === undefined) throw new NoResponseError(`${discoveryAddress(issuer)} names no ${name}`);
    const isAllowed = URL.canParse(address) && isEndpoint(new URL(address), url);
    if (!isAllowed) throw new NoResponseError(`${discoveryAddress(issuer)} names a ${name} without https`);
  }
  return { server, authorization: server.authorization_endpoint ?? '' };
}

const isEndpoint = ({ protocol, origin }: URL, issuer: URL): boolean =>
  protocol === 'https:' || (issuer.protocol === 'http:' && origin === issuer.origin);

const discoveryAddress = (issuer: string): string => `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
