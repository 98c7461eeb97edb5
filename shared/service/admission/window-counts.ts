import type { EmitterId, UserId } from '../../domain/id.ts';
import { TtlCache } from '../../lib/ttl-cache.ts';
import type { RequestCountStore } from '../../store/users/request-counts.ts';

/** Requests are counted in windows of this length. */
export const WINDOW_MS = 10_000;

/** An instance adds its requests to the shared count each time it has this part of what a window allows. */
const ADDED_PART = 100;
const MAX_COUNTED = 10_000;

/** Counts of emitters or users in all instances, each in windows. */
export interface WindowCounts<Id> {
  /** Requests of this window, as far as this instance knows. */
  used(id: Id): number;
  /** Counts at once in this instance. Resolves when it has told the others, each time that is due. */
  add(id: Id, requests: number): Promise<void>;
}

export interface WindowCountOptions {
  counts: RequestCountStore;
  allowed: number;
  onLost(error: unknown): void;
  now(): number;
}

interface Count {
  readonly window: number;
  /** Requests of this instance that are not yet in the shared count. */
  own: number;
  /** Requests of all instances, as far as this one knows. */
  shared: number;
}

/** Whole seconds until the next window. */
export const secondsUntilNextWindow = (now: number): number => Math.ceil((WINDOW_MS - (now % WINDOW_MS)) / 1_000);

/**
 * A request costs no read and no write but each hundredth part of what a window allows. So instances together accept at
 * most a hundredth more for each of them.
 */
export function createWindowCounts<Id extends EmitterId | UserId>({
  counts,
  allowed,
  onLost,
  now,
}: WindowCountOptions): WindowCounts<Id> {
  const known = new TtlCache<Id, Count>({ ttlMs: WINDOW_MS, maxEntries: MAX_COUNTED, now });

  function countOf(id: Id): Count {
    const window = Math.floor(now() / WINDOW_MS);
    const last = known.get(id);
    if (last?.window === window) return last;
    const count: Count = { window, own: 0, shared: 0 };
    known.set(id, count);
    return count;
  }

  /** Without the shared count an instance knows its own requests only. */
  async function share(id: Id, count: Count): Promise<void> {
    const added = count.own;
    count.own = 0;
    count.shared += added;
    try {
      const endsAt = (count.window + 1) * WINDOW_MS;
      const ofAll = await counts.add(id, { window: count.window, added, endsAt });
      // Responses come in any order.
      count.shared = Math.max(count.shared, ofAll);
    } catch (error) {
      onLost(error);
    }
  }

  return {
    used(id) {
      const { own, shared } = countOf(id);
      return own + shared;
    },

    async add(id, requests) {
      const count = countOf(id);
      count.own += requests;
      if (count.own * ADDED_PART >= allowed) await share(id, count);
    },
  };
}
