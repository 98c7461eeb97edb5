import { ServiceError } from '../../domain/errors.ts';
import type { EmitterId, UserId } from '../../domain/id.ts';
import { hasFairShare } from '../../lib/sharing/fair-share.ts';
import { TtlCache } from '../../lib/ttl-cache.ts';
import type { StoredBytes } from '../../store/users/stored-bytes.ts';

/** The limit of the bytes that are stored for each user. */
export interface Storage {
  readonly limit: number;
  /** Whether nothing more may be stored for the user. */
  isFull(ownerId: UserId): Promise<boolean>;
  /**
   * Whether an emitter may take nothing more: the user is full, or has used three quarters of the limit and the emitter
   * a quarter itself. An only emitter may use all.
   */
  isFullFor(ownerId: UserId, emitterId: EmitterId): Promise<boolean>;
  /** Notes what this process has stored, or removed, since the last count. */
  add(ownerId: UserId, bytes: number, emitterId?: EmitterId): void;
}

export interface StorageOptions {
  /** Counts the bytes that are stored for a user. */
  storedBytes(ownerId: UserId, now: number): Promise<StoredBytes>;
  limit: number;
  now(): number;
}

/** Between two counts a process knows only what it stores itself. */
const RECOUNT_MS = 60_000;
/** A full user is counted again after this, so that deletions take effect. */
export const FULL_RECOUNT_MS = 5_000;
const MAX_CACHED_OWNERS = 5_000;

interface Count {
  readonly at: number;
  readonly counted: Promise<StoredBytes>;
  added: number;
  readonly addedBy: Map<EmitterId, number>;
}

/** Knows which users have reached the limit, at no read or write per event. */
export function createStorage({ storedBytes, limit, now }: StorageOptions): Storage {
  const counts = new TtlCache<UserId, Count>({ ttlMs: RECOUNT_MS, maxEntries: MAX_CACHED_OWNERS, now });

  /** Concurrent callers share one count; a failed one is not kept. */
  function recount(ownerId: UserId): Count {
    const at = now();
    const count: Count = { at, counted: storedBytes(ownerId, at), added: 0, addedBy: new Map() };
    counts.set(ownerId, count);
    count.counted.catch(() => {
      if (counts.get(ownerId) === count) counts.delete(ownerId);
    });
    return count;
  }

  async function isOver({ counted, added, addedBy }: Count, emitterId: EmitterId | undefined) {
    const { total, byEmitter, emitters } = await counted;
    if (emitterId === undefined) return total + added >= limit;
    const usedByOne = (byEmitter.get(emitterId) ?? 0) + (addedBy.get(emitterId) ?? 0);
    return !hasFairShare({ limit, usedByAll: total + added, usedByOne }, emitters <= 1);
  }

  async function isRefused(ownerId: UserId, emitterId?: EmitterId): Promise<boolean> {
    const known = counts.get(ownerId) ?? recount(ownerId);
    if (!(await isOver(known, emitterId))) return false;
    if (now() - known.at < FULL_RECOUNT_MS) return true;
    const latest = counts.get(ownerId);
    return isOver(latest === undefined || latest === known ? recount(ownerId) : latest, emitterId);
  }

  return {
    limit,
    isFull: (ownerId) => isRefused(ownerId),
    isFullFor: isRefused,

    add(ownerId, bytes, emitterId) {
      const count = counts.get(ownerId);
      if (!count) return;
      count.added += bytes;
      if (emitterId !== undefined) count.addedBy.set(emitterId, (count.addedBy.get(emitterId) ?? 0) + bytes);
    },
  };
}

export const STORAGE_FULL =
  'As many bytes are stored for the user as limits.storedBytes of the stage allows, or three quarters of that, a quarter by this source alone. Delete events or sources.';

/** The error for an event: status 429 with `Retry-After`. */
export const storageFull = (): ServiceError =>
  new ServiceError('storage_full', STORAGE_FULL, {
    retryAfterSeconds: FULL_RECOUNT_MS / 1_000,
  });

/** The error for a new component or source. */
export const storageLimitReached = (limit: number): ServiceError =>
  new ServiceError(
    'limit_reached',
    `You have reached the limit of ${limit} stored bytes (limits.storedBytes of the stage). Delete events or sources, or ask the operator for a higher limit.`,
  );
