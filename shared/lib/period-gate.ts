import { TtlCache, type TtlCacheOptions } from './ttl-cache.ts';

/** True for the first call with a key, and for the first one in each period after it. */
export function createPeriodGate<Key>(options: TtlCacheOptions): (key: Key) => boolean {
  const recent = new TtlCache<Key, true>(options);
  return (key) => {
    if (recent.get(key)) return false;
    recent.set(key, true);
    return true;
  };
}
