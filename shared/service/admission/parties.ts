import type { UserId } from '../../domain/id.ts';
import { cachedRead, TtlCache } from '../../lib/ttl-cache.ts';
import type { UserEmitters } from '../../store/users/user-emitters.ts';

/** Whether anybody else shares the limits of a user: an only source or emitter may use all of them. */
export type Parties = ReturnType<typeof createParties>;

/** For this time the source that a user had first may still use all. */
const CACHE_MS = 60_000;
const MAX_CACHED_OWNERS = 5_000;

export function createParties(emittersOf: (ownerId: UserId) => Promise<UserEmitters>, now: () => number) {
  const known = new TtlCache<UserId, Promise<UserEmitters>>({
    ttlMs: CACHE_MS,
    maxEntries: MAX_CACHED_OWNERS,
    now,
  });
  const read = (ownerId: UserId) => cachedRead(known, ownerId, () => emittersOf(ownerId));
  return {
    isOnlySource: async (ownerId: UserId): Promise<boolean> => (await read(ownerId)).sources <= 1,
    async isOnlyEmitter(ownerId: UserId): Promise<boolean> {
      const { sources, workflows } = await read(ownerId);
      return sources + workflows <= 1;
    },
  };
}
