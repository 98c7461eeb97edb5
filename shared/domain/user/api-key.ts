import * as z from 'zod';
import { HOUR_MS } from '../../lib/durations.ts';
import { ApiKeyId, type Random, UserId } from '../id.ts';

/** The rights of a key. None includes another one: the list of a key is exactly what it may do. */
export const Scope = z.enum(['read', 'send', 'manage', 'metrics']);
export type Scope = z.infer<typeof Scope>;

/** With the first key. */
export const MAX_KEYS = 50;
export const LONGEST_OVERLAP_SECONDS = 7 * 24 * 60 * 60;
/** A use of a key is stored at most once in this time. */
export const USE_STORED_MS = HOUR_MS;

/** The item of a key, which is stored under the hash of the key. */
export const ApiKey = z.object({
  userId: UserId,
  /** Absent in the first key of a user, which has all scopes and does not expire, and in the key of this machine. */
  id: ApiKeyId.optional(),
  name: z.string().optional(),
  /** Absent: all. */
  scopes: z.array(Scope).optional(),
  /** Epoch ms; absent: it does not expire. */
  validUntil: z.number().optional(),
  /** A rotation replaced this secret, which works until `validUntil`; epoch ms. */
  retiredAt: z.number().optional(),
  /** To the hour, epoch ms. */
  lastUsedAt: z.number().optional(),
  /**
   * Addresses from which the key of this machine may be used. Empty in a key with an id: earlier releases, which know
   * no scopes, refuse such a key.
   */
  onlyFrom: z.array(z.string()).optional(),
  /** The user is suspended since then, epoch ms. */
  suspendedAt: z.number().optional(),
});
export type ApiKey = z.infer<typeof ApiKey>;

export const scopesOfKey = ({ scopes }: Pick<ApiKey, 'scopes'>): readonly Scope[] => scopes ?? Scope.options;

export const isExpired = ({ validUntil = Infinity }: Pick<ApiKey, 'validUntil'>, now: number): boolean =>
  validUntil <= now;

/** 256 random bits. */
export const newApiKey = (random: Random): string => Buffer.from(random(32)).toString('base64url');

/** The id of a user's first key. It has the user's time. */
export const firstKeyId = (userId: UserId): ApiKeyId => ApiKeyId.parse(userId.replace(/^u_/, 'key_'));

/** The id and the name of a key, as its user sees them. That of this machine is in no list. */
export function keyIdentity({ userId, id, name, onlyFrom = [] }: ApiKey): { id: ApiKeyId; name: string } {
  const isOfMachine = id === undefined && onlyFrom.length > 0;
  return {
    id: id ?? ApiKeyId.parse(`${firstKeyId(userId)}${isOfMachine ? 'local' : ''}`),
    name: name ?? (isOfMachine ? 'Commands on the machine of the service' : 'First key'),
  };
}
