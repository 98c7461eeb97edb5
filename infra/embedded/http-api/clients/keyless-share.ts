import { FairQueue } from './fair-queue.ts';

/** Requests of one client that are in work. One may wait for a provider's answer; the others do not wait for it. */
const MAX_IN_WORK = 10;

/**
 * The share of the thread that requests without a key have: in a turn of the event loop one of them begins, one client
 * after the other, so that other work goes on after each request of a stranger.
 */
export class KeylessShare {
  readonly #waiting = new FairQueue();
  readonly #inWork = new Map<string, number>();
  #isArmed = false;

  async run<Value>(network: string, work: () => Promise<Value>): Promise<Value> {
    await new Promise<void>((resolve) => {
      this.#waiting.push(network, () => {
        this.#count(network, 1);
        resolve();
      });
      this.#arm();
    });
    try {
      return await work();
    } finally {
      this.#count(network, -1);
      this.#arm();
    }
  }

  #arm(): void {
    if (this.#isArmed || this.#waiting.isEmpty) return;
    this.#isArmed = true;
    setImmediate(() => {
      this.#isArmed = false;
      const next = this.#waiting.shift((network) => (this.#inWork.get(network) ?? 0) < MAX_IN_WORK);
      // If each client that waits has too many requests in work, the end of one of them arms the next turn.
      if (!next) return;
      next();
      this.#arm();
    });
  }

  #count(network: string, more: number): void {
    const count = (this.#inWork.get(network) ?? 0) + more;
    if (count > 0) this.#inWork.set(network, count);
    else this.#inWork.delete(network);
  }
}
