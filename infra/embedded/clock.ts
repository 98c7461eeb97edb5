/** Time as a dependency. Every wait of the embedded cloud uses this clock. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Calls back once, at or soon after `at` (epoch ms). The returned function cancels the call. */
  wakeAt(at: number, callback: () => void): () => void;
}

/** The limit of setTimeout, 2^31 - 1 ms. A longer wait uses several timers. */
const MAX_TIMEOUT_MS = 2_147_483_647;

export const systemClock: Clock = {
  now: () => Date.now(),
  wakeAt(at, callback) {
    let timer: NodeJS.Timeout;
    const wait = () => {
      const left = at - Date.now();
      timer = setTimeout(left > MAX_TIMEOUT_MS ? wait : callback, Math.min(Math.max(left, 0), MAX_TIMEOUT_MS));
    };
    wait();
    return () => {
      clearTimeout(timer);
    };
  },
};

/** A clock that stands still until `advance` moves it. */
export class FakeClock implements Clock {
  #time: number;
  readonly #waiting = new Set<{ at: number; callback: () => void }>();

  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#time = start;
  }

  now(): number {
    return this.#time;
  }

  wakeAt(at: number, callback: () => void): () => void {
    const entry = { at, callback };
    this.#waiting.add(entry);
    if (at <= this.#time)
      setImmediate(() => {
        this.#fire(entry);
      });
    return () => {
      this.#waiting.delete(entry);
    };
  }

  /** Time of the next callback, if there is one. */
  nextWake(): number | undefined {
    let next: number | undefined;
    for (const { at } of this.#waiting) if (next === undefined || at < next) next = at;
    return next;
  }

  /**
   * Moves time forward and makes the callbacks that become due, in order. A callback may wait again within the span.
   */
  advance(ms: number): void {
    const end = this.#time + ms;
    for (;;) {
      const due = [...this.#waiting].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.#time = Math.max(this.#time, due.at);
      this.#fire(due);
    }
    this.#time = end;
  }

  #fire(entry: { at: number; callback: () => void }): void {
    if (this.#waiting.delete(entry)) entry.callback();
  }
}
