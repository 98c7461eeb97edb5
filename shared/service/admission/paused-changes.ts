import { ServiceError } from '../../domain/errors.ts';
import { cachedRead, TtlCache } from '../../lib/ttl-cache.ts';
import type { ServiceMarkStore } from '../../store/table/service-marks.ts';

/** A pause stops changes within this time. */
const CACHE_MS = 10_000;

const PAUSED =
  'The operator has stopped changes over the API for a while, and this one was not made. Reads and endpoints go on.';

export type RefusePausedChange = () => Promise<void>;

/** Refuses a change while the operator has stopped changes over the API. */
export function createPausedChanges(
  { isApiPaused }: Pick<ServiceMarkStore, 'isApiPaused'>,
  now: () => number = Date.now,
): RefusePausedChange {
  const cache = new TtlCache<'api', Promise<boolean>>({ ttlMs: CACHE_MS, maxEntries: 1, now });
  return async () => {
    if (await cachedRead(cache, 'api', isApiPaused))
      throw new ServiceError('unavailable', PAUSED, { retryAfterSeconds: 60 });
  };
}
