import { bearerToken } from '../domain/bearer.ts';
import { ServiceError } from '../domain/errors.ts';
import type { UserId } from '../domain/id.ts';
import { TtlCache } from '../domain/ttl-cache.ts';
import { hashOfKey, type UserLookup } from '../store/users.ts';

/** Who calls, and with which key. */
export interface Caller {
  userId: UserId;
  apiKey: string;
}

/** A key seen within the last minute is not looked up again, so a rotated one stops within that minute. */
const TRUSTED_MS = 60_000;
const MOST_REMEMBERED = 10_000;

/** Authenticates `Authorization: Bearer <key>`; two headers arrive joined by a comma and are one invalid one. */
export function createAuthenticator(users: Pick<UserLookup, 'findByKeyHash'>, now: () => number = Date.now) {
  const seen = new TtlCache<string, UserId>({ ttlMs: TRUSTED_MS, maxEntries: MOST_REMEMBERED, now });

  return async (authorization: string | undefined): Promise<Caller> => {
    const apiKey = bearerToken(authorization);
    if (apiKey === undefined) throw unauthenticated('Send your API key as "Authorization: Bearer <key>".');
    const hash = hashOfKey(apiKey);
    const known = seen.get(hash);
    if (known) return { userId: known, apiKey };
    const userId = await users.findByKeyHash(hash);
    if (!userId) throw unauthenticated('This API key is not valid.');
    seen.set(hash, userId);
    return { userId, apiKey };
  };
}

const unauthenticated = (message: string) => new ServiceError('unauthenticated', 'unauthenticated', message);
