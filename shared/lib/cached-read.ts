import type { TtlCache } from './ttl-cache.ts';

/** The cached value, or one that all concurrent callers wait for. A failed read is not cached. */
export async function cachedRead<Key, Value>(
  cache: TtlCache<Key, Promise<Value>>,
  key: Key,
  read: () => Promise<Value>,
): Promise<Value> {
  const last = cache.get(key);
  if (last) return last;
  const next = read();
  cache.set(key, next);
  try {
    return await next;
  } catch (error) {
    if (cache.get(key) === next) cache.delete(key);
    throw error;
  }
}
