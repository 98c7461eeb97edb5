interface TtlCacheOptions {
  /** How long a value is used again, in ms. */
  ttlMs: number;
  /** How many are kept; then the oldest goes. */
  maxEntries: number;
  /** Epoch ms. */
  now(): number;
}

/**
 * What was found a moment ago and may be used again for as long as its use says, in one instance of a function. Clocks are set back, too:
 * what was found later than now is not used, or a minute could last an hour.
 */
export class TtlCache<Key, Value> {
  readonly #options: TtlCacheOptions;
  readonly #found = new Map<Key, { value: Value; at: number }>();

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
    this.#found.delete(key);
    const [oldest] = this.#found.keys();
    if (oldest !== undefined && this.#found.size >= this.#options.maxEntries) this.#found.delete(oldest);
    this.#found.set(key, { value, at: this.#options.now() });
  }

  delete(key: Key): void {
    this.#found.delete(key);
  }
}
