/** Something that happens to each of many listeners at intervals: they share one timer. */
export class Ticker {
  readonly #everyMs: number;
  readonly #callbacks = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  /** The returned function removes the callback. */
  add(callback: () => void): () => void {
    this.#callbacks.add(callback);
    this.#timer ??= setInterval(() => {
      for (const each of this.#callbacks) each();
    }, this.#everyMs);
    return () => {
      this.#callbacks.delete(callback);
      if (this.#callbacks.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }
}
