import { bearerToken } from '../domain/bearer.ts';
import { ServiceError } from '../domain/errors.ts';
import type { UserId } from '../domain/id.ts';
import { TtlCache } from '../domain/ttl-cache.ts';
import { invalidKey } from './invalid-key.ts';
import { hashOfKey, type UserLookup } from '../store/users.ts';

/** An authenticated user and the API key of the request. */
export interface Caller {
  userId: UserId;
  apiKey: string;
}

/** Cache time of a valid key. A rotated key is refused after at most this time. */
const KEY_CACHE_MS = 60_000;
const MAX_CACHED_KEYS = 10_000;

/** Authenticates `Authorization: Bearer <key>`. API Gateway joins two headers with a comma, which makes them invalid. */
export function createAuthenticator(users: Pick<UserLookup, 'findByKeyHash'>, now: () => number = Date.now) {
  const cache = new TtlCache<string, UserId>({ ttlMs: KEY_CACHE_MS, maxEntries: MAX_CACHED_KEYS, now });

  return async (authorization: string | undefined): Promise<Caller> => {
    const apiKey = bearerToken(authorization);
    if (apiKey === undefined) throw unauthenticated('Send your API key as "Authorization: Bearer <key>".');
    const hash = hashOfKey(apiKey);
    const known = cache.get(hash);
    if (known) return { userId: known, apiKey };
    const userId = await users.findByKeyHash(hash);
    if (!userId) throw invalidKey();
    cache.set(hash, userId);
    return { userId, apiKey };
  };
}

const unauthenticated = (message: string) => new ServiceError('unauthenticated', 'unauthenticated', message);
