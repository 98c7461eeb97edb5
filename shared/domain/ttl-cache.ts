interface TtlCacheOptions {
  /** How long a value is used again, in ms. */
  ttlMs: number;
  /** How many are kept; then the oldest goes. */
  maxEntries: number;
  /** Epoch ms. */
  now(): number;
}

interface Found<Key, Value> {
  readonly key: Key;
  readonly value: Value;
  readonly at: number;
}

/**
 * Caches values for a time, in one instance of a function. Clocks are set back, too: a value that was set later than now is not used,
 * or a minute could last an hour.
 */
export class TtlCache<Key, Value> {
  readonly #options: TtlCacheOptions;
  readonly #found = new Map<Key, Found<Key, Value>>();
  /**
   * Values as they were set; those before the head are gone, others may have been set anew since. A `Map` knows the order too, but its
   * first entry costs a step for each one deleted before it.
   */
  #order: Found<Key, Value>[] = [];
  #head = 0;

  constructor(options: TtlCacheOptions) {
    this.#options = options;
  }

  get(key: Key): Value | undefined {
    const found = this.#found.get(key);
    if (!found) return undefined;
    const age = this.#options.now() - found.at;
    if (age >= 0 && age < this.#options.ttlMs) return found.value;
    this.#found.delete(key);
    return undefined;
  }

  set(key: Key, value: Value): void {
    const { maxEntries, now } = this.#options;
    const found = { key, value, at: now() };
    this.#found.set(key, found);
    this.#order.push(found);
    while (this.#found.size > maxEntries) this.#deleteOldest();
    if (this.#order.length > 2 * maxEntries) this.#closeGaps();
  }

  delete(key: Key): void {
    this.#found.delete(key);
  }

  #deleteOldest(): void {
    const oldest = this.#order[this.#head];
    this.#head += 1;
    if (oldest && this.#found.get(oldest.key) === oldest) this.#found.delete(oldest.key);
  }

  #closeGaps(): void {
    this.#order = this.#order.slice(this.#head).filter((found) => this.#found.get(found.key) === found);
    this.#head = 0;
  }
}
