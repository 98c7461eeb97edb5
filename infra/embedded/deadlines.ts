interface Deadline {
  /** Time by `performance.now()`. */
  readonly at: number;
  readonly expire: () => void;
}

/**
 * Timeouts of one length, in real time. All share one timer: nearly all work ends in time, so a timer and a `Promise.race` per call
 * would be wasted.
 */
export class Deadlines {
  readonly #timeoutMs: number;
  /** In order of their time. */
  readonly #pending = new Set<Deadline>();
  #hasTimer = false;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** The result of the work; after the timeout, the result of `onLate`, while the work continues. */
  within<T>(work: Promise<T>, onLate: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const deadline: Deadline = {
        at: performance.now() + this.#timeoutMs,
        expire: () => {
          resolve(onLate());
        },
      };
      this.#pending.add(deadline);
      if (!this.#hasTimer) this.#startTimer(this.#timeoutMs);
      const forget = () => void this.#pending.delete(deadline);
      work.then(forget, forget);
      work.then(resolve, reject);
    });
  }

  #startTimer(ms: number): void {
    this.#hasTimer = true;
    setTimeout(() => {
      this.#expireLate();
    }, ms).unref();
  }

  #expireLate(): void {
    const now = performance.now();
    this.#hasTimer = false;
    for (const deadline of this.#pending) {
      if (deadline.at > now) {
        this.#startTimer(Math.ceil(deadline.at - now));
        return;
      }
      this.#pending.delete(deadline);
      deadline.expire();
    }
  }
}
