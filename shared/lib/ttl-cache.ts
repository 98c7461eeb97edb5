export interface TtlCacheOptions {
  /** Lifetime of a value in ms. */
  ttlMs: number;
  /** Maximum of values; the oldest is removed first. */
  maxEntries: number;
  /** Epoch ms. */
  now(): number;
}

interface Entry<Key, Value> {
  readonly key: Key;
  readonly value: Value;
  readonly at: number;
}

/**
 * Caches values for a time, in one process. A value set later than now is not used: cache lifetimes must not grow when
 * the system clock is set back.
 */
export class TtlCache<Key, Value> {
  readonly #options: TtlCacheOptions;
  readonly #entries = new Map<Key, Entry<Key, Value>>();
  /**
   * Entries in order of `set`; entries before the head are removed, later ones may be replaced. The order of a `Map` is
   * not used, because finding its first entry takes a step for every entry deleted before.
   */
  #order: Entry<Key, Value>[] = [];
  #head = 0;

  constructor(options: TtlCacheOptions) {
    this.#options = options;
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    const age = this.#options.now() - entry.at;
    if (age >= 0 && age < this.#options.ttlMs) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  set(key: Key, value: Value): void {
    const { maxEntries, now } = this.#options;
    const entry = { key, value, at: now() };
    this.#entries.set(key, entry);
    this.#order.push(entry);
    while (this.#entries.size > maxEntries) this.#deleteOldest();
    if (this.#order.length > 2 * maxEntries) this.#closeGaps();
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }

  #deleteOldest(): void {
    const oldest = this.#order[this.#head];
    this.#head += 1;
    if (oldest && this.#entries.get(oldest.key) === oldest) this.#entries.delete(oldest.key);
  }

  #closeGaps(): void {
    this.#order = this.#order.slice(this.#head).filter((entry) => this.#entries.get(entry.key) === entry);
    this.#head = 0;
  }
}

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
