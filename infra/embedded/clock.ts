/** Time as a dependency: everything in the embedded cloud that waits, waits through this. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Calls back once, at or soon after `at` (epoch ms); the answer cancels. */
  wakeAt(at: number, callback: () => void): () => void;
}

/** setTimeout holds at most 2^31 - 1 ms; longer waits are made of several. */
const LONGEST_TIMEOUT_MS = 2_147_483_647;

export const systemClock: Clock = {
  now: () => Date.now(),
  wakeAt(at, callback) {
    let timer: NodeJS.Timeout;
    const wait = () => {
      const left = at - Date.now();
      timer = setTimeout(
        left > LONGEST_TIMEOUT_MS ? wait : callback,
        Math.min(Math.max(left, 0), LONGEST_TIMEOUT_MS),
      );
    };
    wait();
    return () => {
      clearTimeout(timer);
    };
  },
};

/** A clock that stands still until it is told to move. */
export class FakeClock implements Clock {
  private time: number;
  private readonly waiting = new Set<{ at: number; callback: () => void }>();

  constructor(start = Date.UTC(2026, 0, 1)) {
    this.time = start;
  }

  now(): number {
    return this.time;
  }

  wakeAt(at: number, callback: () => void): () => void {
    const entry = { at, callback };
    this.waiting.add(entry);
    if (at <= this.time)
      setImmediate(() => {
        this.fire(entry);
      });
    return () => {
      this.waiting.delete(entry);
    };
  }

  /** When the next waiter is due, if anything waits. */
  nextWake(): number | undefined {
    let next: number | undefined;
    for (const { at } of this.waiting) if (next === undefined || at < next) next = at;
    return next;
  }

  /** Moves time forward and calls, in order, whatever became due; callbacks may wait again within the span. */
  advance(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const due = [...this.waiting].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.time = Math.max(this.time, due.at);
      this.fire(due);
    }
    this.time = end;
  }

  private fire(entry: { at: number; callback: () => void }): void {
    if (this.waiting.delete(entry)) entry.callback();
  }
}
