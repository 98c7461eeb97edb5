/** What ends by itself unless it is cancelled before. */
export interface Expiring {
  /** Must not throw. */
  expire(): void;
}

/**
 * Timeouts of one length, in real time. All share one timer: nearly all work ends in time, so a timer for each would be wasted memory and
 * time. The timer does not keep the process alive.
 */
export class Timeouts {
  readonly #ms: number;
  /** When each is due, by `performance.now()`; the first one first. */
  readonly #due = new Map<Expiring, number>();
  #hasTimer = false;

  constructor(ms: number) {
    this.#ms = ms;
  }

  start(work: Expiring): void {
    this.#due.set(work, performance.now() + this.#ms);
    if (!this.#hasTimer) this.#startTimer(this.#ms);
  }

  cancel(work: Expiring): void {
    this.#due.delete(work);
  }

  #startTimer(ms: number): void {
    this.#hasTimer = true;
    setTimeout(() => {
      this.#expireDue();
    }, ms).unref();
  }

  #expireDue(): void {
    const now = performance.now();
    for (const [work, at] of this.#due) {
      if (at > now) {
        this.#startTimer(Math.ceil(at - now));
        return;
      }
      this.#due.delete(work);
      work.expire();
    }
    this.#hasTimer = false;
  }
}
