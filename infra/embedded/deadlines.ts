import { Expiring, Timeouts } from '../../shared/lib/timeouts.ts';

class Deadline extends Expiring {
  readonly #onLate: () => void;

  constructor(onLate: () => void) {
    super();
    this.#onLate = onLate;
  }

  expire(): void {
    this.#onLate();
  }
}

/** Time limits of one length for work that gives a result. They share one timer. */
export class Deadlines {
  readonly #timeouts: Timeouts;

  constructor(timeoutMs: number) {
    this.#timeouts = new Timeouts(timeoutMs);
  }

  /** The result of the work; after the timeout, the result of `onLate`, while the work continues. */
  within<T>(work: Promise<T>, onLate: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const deadline = new Deadline(() => {
        resolve(onLate());
      });
      this.#timeouts.start(deadline);
      work.then(
        (result) => {
          this.#timeouts.cancel(deadline);
          resolve(result);
        },
        (error: Error) => {
          this.#timeouts.cancel(deadline);
          reject(error);
        },
      );
    });
  }
}
