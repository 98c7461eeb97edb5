/** Work that ends by itself unless it is cancelled before. It is in one list at a time. */
export abstract class Expiring {
  /** Neighbours in the list of its timeouts, which is in the order of their time. */
  earlier: Expiring | undefined = undefined;
  later: Expiring | undefined = undefined;
  /** By `performance.now()`; 0 while it is in no list. */
  dueAt = 0;

  /** Must not throw. */
  abstract expire(): void;
}

/**
 * Timeouts of one length, in real time. All share one timer, and their list takes no memory of its own: nearly all work
 * ends in time, so a timer for each would be wasted. A set would cost more than the timers, as V8 gives each member a
 * hash. The timer does not keep the process alive.
 */
export class Timeouts {
  readonly #ms: number;
  #first: Expiring | undefined;
  #last: Expiring | undefined;
  #hasTimer = false;

  constructor(ms: number) {
    this.#ms = ms;
  }

  start(work: Expiring): void {
    work.dueAt = performance.now() + this.#ms;
    work.earlier = this.#last;
    if (this.#last) this.#last.later = work;
    else this.#first = work;
    this.#last = work;
    if (!this.#hasTimer) this.#startTimer(this.#ms);
  }

  /** Does nothing for work that has expired or was cancelled. */
  cancel(work: Expiring): void {
    if (work.dueAt === 0) return;
    const { earlier, later } = work;
    if (earlier) earlier.later = later;
    else this.#first = later;
    if (later) later.earlier = earlier;
    else this.#last = earlier;
    work.earlier = undefined;
    work.later = undefined;
    work.dueAt = 0;
  }

  #startTimer(ms: number): void {
    this.#hasTimer = true;
    setTimeout(() => this.#expireDue(), ms).unref();
  }

  #expireDue(): void {
    const now = performance.now();
    for (let work = this.#first; work; work = this.#first) {
      if (work.dueAt > now) {
        this.#startTimer(Math.ceil(work.dueAt - now));
        return;
      }
      this.cancel(work);
      work.expire();
    }
    this.#hasTimer = false;
  }
}
