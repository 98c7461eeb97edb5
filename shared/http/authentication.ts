import { bearerToken } from '../domain/user/bearer.ts';
import { ServiceError } from '../domain/errors.ts';
import type { UserId, WebhookId } from '../domain/id.ts';
import type { LiveClaims } from '../domain/live/live-token.ts';
import { TtlCache } from '../lib/ttl-cache.ts';
import { type ApiKey, isExpired, keyIdentity, type Scope, scopesOfKey, USE_STORED_MS } from '../domain/user/api-key.ts';
import { expiredKey, invalidKey, replacedKey, suspendedUser } from '../domain/user/key-refusals.ts';
import { hashOfKey } from '../domain/user/key-hash.ts';
import type { UserLookup } from '../store/users/users.ts';

export interface Caller {
  userId: UserId;
  /** The key, or the token in its place; undefined with a session. */
  apiKey: string | undefined;
  /** Hash of the key that signs the tokens that the caller makes. */
  keyHash: string;
  /** The rights of the key, or of the person. */
  scopes: readonly Scope[];
  /** Absent with a token or a session. */
  key?: ReturnType<typeof keyIdentity>;
  /** The session of a person who has signed in. */
  session?: CallerSession;
  /** The claims of a token for a live stream, which was sent as the key. */
  live?: LiveClaims;
  /** The only webhook of a portal link, whose token was sent as the key. */
  portal?: WebhookId;
}

interface CallerSession {
  hash: string;
  email: string;
  /** Epoch ms. */
  endsAt: number;
}

/** Cache time of a valid key. A rotated key is refused after at most this time. */
const KEY_CACHE_MS = 60_000;
const MAX_CACHED_KEYS = 10_000;

export interface Credentials {
  authorization: string | undefined;
  /** The address that sent the request; undefined when proxies passed it on. */
  sentFrom: string | undefined;
  query: string;
  method: string;
  cookies: readonly string[] | undefined;
  /** The headers `Origin`, `Sec-Fetch-Site` and `x-csrf`. */
  origin: string | undefined;
  fetchSite: string | undefined;
  csrf: string | undefined;
}

/** The credentials of a request. */
export const credentialsOf = (event: Sent): Credentials => ({
  authorization: event.headers['authorization'],
  sentFrom: senderOf(event),
  query: event.rawQueryString,
  method: event.requestContext.http.method,
  cookies: event.cookies,
  origin: event.headers['origin'],
  fetchSite: event.headers['sec-fetch-site'],
  csrf: event.headers['x-csrf'],
});

/**
 * Authenticates `Authorization: Bearer <key>`. API Gateway joins two headers with a comma, which makes them invalid.
 */
export function createAuthenticator(users: Pick<UserLookup, 'findKey' | 'storeUse'>, now: () => number = Date.now) {
  const cache = new TtlCache<string, ApiKey>({ ttlMs: KEY_CACHE_MS, maxEntries: MAX_CACHED_KEYS, now });

  return async ({ authorization, sentFrom }: Pick<Credentials, 'authorization' | 'sentFrom'>): Promise<Caller> => {
    const apiKey = bearerToken(authorization);
    if (apiKey === undefined) throw unauthenticated('Send your API key as "Authorization: Bearer <key>".');
    const hash = hashOfKey(apiKey);
    const known = cache.get(hash);
    const found = known ?? (await users.findKey(hash));
    if (!found) throw invalidKey();
    if ('replacedAt' in found) throw replacedKey(found.replacedAt);
    const { userId, id, onlyFrom, validUntil = Infinity, retiredAt, lastUsedAt = -Infinity } = found;
    if (isExpired(found, now())) throw retiredAt === undefined ? expiredKey(validUntil) : replacedKey(retiredAt);
    if (found.suspendedAt !== undefined) throw suspendedUser();
    if (!known) cache.set(hash, found);
    if (id === undefined && onlyFrom && !(sentFrom !== undefined && onlyFrom.includes(sentFrom)))
      throw unauthenticated('This key works on the machine of the service only: use the API key of a user.');
    // A request does not fail for a time of use that could not be stored.
    if (!known && lastUsedAt <= now() - USE_STORED_MS) await users.storeUse(hash, now()).catch(() => undefined);
    return { userId, apiKey, keyHash: hash, scopes: scopesOfKey(found), key: keyIdentity(found) };
  };
}

/** API Gateway adds the address of the sender to those that earlier proxies named. */
export function senderOf({ headers, requestContext }: Sender): string | undefined {
  const { sourceIp } = requestContext.http;
  const isDirect = headers['x-forwarded-for'] === sourceIp && headers['forwarded'] === undefined;
  return isDirect ? sourceIp : undefined;
}

interface Sender {
  headers: Readonly<Record<string, string | undefined>>;
  requestContext: { http: { sourceIp: string } };
}

interface Sent extends Sender {
  rawQueryString: string;
  cookies?: string[] | undefined;
  requestContext: { http: { sourceIp: string; method: string } };
}

export const unauthenticated = (message: string) => new ServiceError('unauthenticated', message);
