import type { EmitterId, UserId } from '../../domain/id.ts';
import type { Limits } from '../../domain/limits.ts';
import { TtlCache } from '../../lib/ttl-cache.ts';
import type { RequestCountStore } from '../../store/request-counts.ts';

/** Requests are counted in windows of this length. */
export const WINDOW_MS = 10_000;

/** An instance adds its requests to the shared count each time it has this part of what a window allows. */
const ADDED_PART = 100;
const MAX_COUNTED = 10_000;

export interface RequestRates {
  /**
   * Counts a request to an emitter's endpoint, or each event of one. False when the emitter, or its owner, had as many as a window allows; it
   * then counts nothing.
   */
  accept(emitterId: EmitterId, ownerId: UserId, events?: number): Promise<boolean>;
}

export interface RequestRateOptions {
  counts: RequestCountStore;
  limits: Pick<Limits, 'sourceRequestRate' | 'userRequestRate'>;
  onLost(error: unknown): void;
  now(): number;
}

/** Requests of one emitter or user in one window. */
interface Count {
  readonly window: number;
  /** Requests of this instance that are not yet in the shared count. */
  own: number;
  /** Requests of all instances, as far as this one knows. */
  shared: number;
}

/** Whole seconds until the next window. */
export const secondsUntilNextWindow = (now: number): number =>
  Math.ceil((WINDOW_MS - (now % WINDOW_MS)) / 1_000);

/**
 * Limits the requests to endpoints, per emitter and per user, in all instances. A request costs no read and no write but each hundredth part
 * of what a window allows. So instances together accept at most a hundredth more for each of them.
 */
export function createRequestRates({ counts, limits, onLost, now }: RequestRateOptions): RequestRates {
  const cache = <Id>() => new TtlCache<Id, Count>({ ttlMs: WINDOW_MS, maxEntries: MAX_COUNTED, now });
  const ofEmitters = cache<EmitterId>();
  const ofUsers = cache<UserId>();
  const perEmitter = perWindow(limits.sourceRequestRate);
  const perUser = perWindow(limits.userRequestRate);

  function countOf<Id>(known: TtlCache<Id, Count>, id: Id): Count {
    const window = Math.floor(now() / WINDOW_MS);
    const last = known.get(id);
    if (last?.window === window) return last;
    const count: Count = { window, own: 0, shared: 0 };
    known.set(id, count);
    return count;
  }

  /** Without the shared count an instance knows its own requests only. */
  async function share(id: EmitterId | UserId, count: Count): Promise<void> {
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
    async accept(emitterId, ownerId, events = 1) {
      const ofEmitter = countOf(ofEmitters, emitterId);
      const ofUser = countOf(ofUsers, ownerId);
      if (ofEmitter.own + ofEmitter.shared >= perEmitter || ofUser.own + ofUser.shared >= perUser)
        return false;
      ofEmitter.own += events;
      ofUser.own += events;
      if (ofEmitter.own * ADDED_PART >= perEmitter) await share(emitterId, ofEmitter);
      if (ofUser.own * ADDED_PART >= perUser) await share(ownerId, ofUser);
      return true;
    },
  };
}

const perWindow = (rate: number) => (rate * WINDOW_MS) / 1_000;
