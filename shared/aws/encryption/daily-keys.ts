import { HOUR_MS } from '../../lib/durations.ts';
import { cachedRead } from '../../lib/cached-read.ts';
import { TtlCache } from '../../lib/ttl-cache.ts';
import type { DataKey, DataKeys } from './data-keys.ts';

/**
 * Cache time of a decrypted data key. A disabled KMS key stops an instance within this time and that of decrypted
 * secrets.
 */
const CACHE_MS = HOUR_MS;
/** About 1 KB each. */
const MAX_CACHED = 2_000;

interface DailyKey extends DataKey {
  /** UTC date. */
  day: string;
}

/** Data keys that the webhooks of one owner share which are sealed on one day, by one instance. */
export interface DailyKeys {
  ofToday(owner: string): Promise<DailyKey>;
  decrypt(owner: string, key: { day: string; sealed: string }): Promise<Uint8Array>;
}

export function createDailyKeys(dataKeys: DataKeys, now: () => number): DailyKeys {
  const cache = { ttlMs: CACHE_MS, maxEntries: MAX_CACHED, now };
  const today = new TtlCache<string, Promise<DailyKey>>(cache);
  const decrypted = new TtlCache<string, Promise<Uint8Array>>(cache);
  const contextOf = (owner: string, day: string) => ({ owner, webhooks: day });
  /** The owner is a part of it: a key of another owner must fail as it does at KMS. */
  const nameOf = (owner: string, day: string, sealed: string) => `${owner} ${day} ${sealed}`;

  return {
    ofToday(owner) {
      const day = new Date(now()).toISOString().slice(0, 10);
      return cachedRead(today, `${owner} ${day}`, async () => {
        const made = await dataKeys.generate(contextOf(owner, day));
        decrypted.set(nameOf(owner, day, made.sealed), Promise.resolve(made.key));
        return { ...made, day };
      });
    },

    decrypt: (owner, { day, sealed }) =>
      cachedRead(decrypted, nameOf(owner, day, sealed), () => dataKeys.decrypt(sealed, contextOf(owner, day))),
  };
}
