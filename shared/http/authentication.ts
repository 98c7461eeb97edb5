import { bearerToken } from '../domain/user/bearer.ts';
import { ServiceError } from '../domain/errors.ts';
import type { UserId } from '../domain/id.ts';
import type { LiveClaims } from '../domain/live/live-token.ts';
import { TtlCache } from '../lib/ttl-cache.ts';
import { invalidKey, replacedKey, suspendedUser } from './invalid-key.ts';
import { hashOfKey } from '../domain/user/key-hash.ts';
import type { ApiKey, UserLookup } from '../store/users/users.ts';

/** An authenticated user and the API key of the request. */
export interface Caller {
  userId: UserId;
  apiKey: string;
  /** The claims of a token for a live stream, which was sent as the key, and the hash of the key that signed them. */
  live?: LiveClaims & { keyHash: string };
}

/** Cache time of a valid key. A rotated key is refused after at most this time. */
const KEY_CACHE_MS = 60_000;
const MAX_CACHED_KEYS = 10_000;

/** The parts of a request that authenticate it. */
export interface Credentials {
  authorization: string | undefined;
  /** The address that sent the request; undefined when proxies passed it on. */
  sentFrom: string | undefined;
  /** The query as it was sent. */
  query: string;
}

/**
 * Authenticates `Authorization: Bearer <key>`. API Gateway joins two headers with a comma, which makes them invalid.
 */
export function createAuthenticator(users: Pick<UserLookup, 'findKey'>, now: () => number = Date.now) {
  const cache = new TtlCache<string, ApiKey>({ ttlMs: KEY_CACHE_MS, maxEntries: MAX_CACHED_KEYS, now });

  return async ({ authorization, sentFrom }: Pick<Credentials, 'authorization' | 'sentFrom'>): Promise<Caller> => {
    const apiKey = bearerToken(authorization);
    if (apiKey === undefined) throw unauthenticated('Send your API key as "Authorization: Bearer <key>".');
    const hash = hashOfKey(apiKey);
    const known = cache.get(hash);
    const found = known ?? (await users.findKey(hash));
    if (!found) throw invalidKey();
    if ('replacedAt' in found) throw replacedKey(found.replacedAt);
    if (found.suspendedAt !== undefined) throw suspendedUser();
    if (!known) cache.set(hash, found);
    const { userId, onlyFrom } = found;
    if (onlyFrom && !(sentFrom !== undefined && onlyFrom.includes(sentFrom)))
      throw unauthenticated('This key works on the machine of the service only: use the API key of a user.');
    return { userId, apiKey };
  };
}

/** API Gateway adds the address of the sender to those that earlier proxies named. */
export function senderOf({ headers, requestContext }: Sent): string | undefined {
  const { sourceIp } = requestContext.http;
  const isDirect = headers['x-forwarded-for'] === sourceIp && headers['forwarded'] === undefined;
  return isDirect ? sourceIp : undefined;
}

interface Sent {
  headers: Readonly<Record<string, string | undefined>>;
  requestContext: { http: { sourceIp: string } };
}

export const unauthenticated = (message: string) => new ServiceError('unauthenticated', 'unauthenticated', message);
