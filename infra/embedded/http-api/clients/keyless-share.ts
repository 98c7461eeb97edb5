import { Fifo } from '../../../../shared/lib/fifo.ts';

/** Requests of one client that are in work. One may wait for a provider's answer; the others do not wait for it. */
const MAX_IN_WORK = 10;

/**
 * The share of the thread that requests without a key have: in a turn of the event loop one of them begins, one client after the other,
 * so that whatever a stranger sends, other work goes on after each.
 */
export class KeylessShare {
  /** By client, in the order of their turns. */
  readonly #waiting = new Map<string, Fifo<() => void>>();
  readonly #inWork = new Map<string, number>();
  #isArmed = false;

  async run<Value>(network: string, work: () => Promise<Value>): Promise<Value> {
    await new Promise<void>((resolve) => {
      let own = this.#waiting.get(network);
      if (!own) this.#waiting.set(network, (own = new Fifo()));
      own.push(resolve);
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
    if (this.#isArmed || this.#waiting.size === 0) return;
    this.#isArmed = true;
    setImmediate(() => {
      this.#isArmed = false;
      if (this.#startNext()) this.#arm();
    });
  }

  /** False if each client that waits has too many requests in work: the end of one of them arms the next turn. */
  #startNext(): boolean {
    for (const [network, own] of this.#waiting) {
      if ((this.#inWork.get(network) ?? 0) >= MAX_IN_WORK) continue;
      this.#waiting.delete(network);
      const start = own.shift();
      if (own.length > 0) this.#waiting.set(network, own);
      this.#count(network, 1);
      start?.();
      return true;
    }
    return false;
  }

  #count(network: string, more: number): void {
    const count = (this.#inWork.get(network) ?? 0) + more;
    if (count > 0) this.#inWork.set(network, count);
    else this.#inWork.delete(network);
  }
}
