import { TtlCache } from '../ttl-cache.ts';

interface ByteRateOptions {
  bytesPerSecond: number;
  /** Bytes that a key may spend at once after it spent none for a while. */
  burstBytes: number;
  /** In ms. */
  now(): number;
  pause(ms: number): Promise<unknown>;
}

/** Keys that are remembered. A forgotten key has its whole burst again. */
const MAX_KEYS = 10_000;

/** Limits the bytes per second of each key. */
export class ByteRate {
  readonly #options: ByteRateOptions;
  /** The time at which the bytes of a key are paid off. */
  readonly #paidAt: TtlCache<string, number>;
  readonly #burstMs: number;

  constructor(options: ByteRateOptions) {
    const { bytesPerSecond, burstBytes, now } = options;
    this.#options = options;
    this.#burstMs = (burstBytes / bytesPerSecond) * 1_000;
    this.#paidAt = new TtlCache({ ttlMs: this.#burstMs + 60_000, maxEntries: MAX_KEYS, now });
  }

  /** Counts bytes. Resolves when the key may have more of them. */
  async spend(key: string, bytes: number): Promise<void> {
    const { bytesPerSecond, now, pause } = this.#options;
    const paidAt = Math.max(now(), this.#paidAt.get(key) ?? 0) + (bytes / bytesPerSecond) * 1_000;
    this.#paidAt.set(key, paidAt);
    const waitMs = paidAt - now() - this.#burstMs;
    if (waitMs > 0) await pause(Math.ceil(waitMs));
  }
}
