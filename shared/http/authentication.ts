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
  apiKey: string;
  /** The rights of the key. */
  scopes: readonly Scope[];
  /** Absent with a token. */
  key?: ReturnType<typeof keyIdentity>;
  /** The claims of a token for a live stream, which was sent as the key, and the hash of the key that signed them. */
  live?: LiveClaims & { keyHash: string };
  /** The only webhook of a portal link, whose token was sent as the key. */
  portal?: WebhookId;
}

/** Cache time of a valid key. A rotated key is refused after at most this time. */
const KEY_CACHE_MS = 60_000;
const MAX_CACHED_KEYS = 10_000;

export interface Credentials {
  authorization: string | undefined;
  /** The address that sent the request; undefined when proxies passed it on. */
  sentFrom: string | undefined;
  query: string;
}

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
    return { userId, apiKey, scopes: scopesOfKey(found), key: keyIdentity(found) };
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

export const unauthenticated = (message: string) => new ServiceError('unauthenticated', message);
