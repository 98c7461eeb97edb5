/** Sources whose last request came soon after the one before. */
export class FrequentSources {
  readonly #withinMs: number;
  /** The longest unused first. Those that are not in it are not frequent. */
  readonly #recent = new Map<string, { at: number; isFrequent: boolean }>();

  constructor(withinMs: number) {
    this.#withinMs = withinMs;
  }

  /** A request of the source begins. */
  begin(processKey: string, now: number): void {
    const before = this.#recent.get(processKey);
    this.#set(processKey, { at: now, isFrequent: before !== undefined && now - before.at <= this.#withinMs });
    for (const [key, { at }] of this.#recent) {
      if (now - at <= this.#withinMs) return;
      this.#recent.delete(key);
    }
  }

  /** A request of the source ends: a long one is no pause. */
  end(processKey: string, now: number): void {
    this.#set(processKey, { at: now, isFrequent: this.has(processKey) });
  }

  has(processKey: string): boolean {
    return this.#recent.get(processKey)?.isFrequent === true;
  }

  /** Moves the source to the end. */
  #set(processKey: string, use: { at: number; isFrequent: boolean }): void {
    this.#recent.delete(processKey);
    this.#recent.set(processKey, use);
  }
}
