import { Fifo } from '../../../../shared/lib/fifo.ts';

/** Work of several clients, one client after the other. */
export class FairQueue {
  /** By client, in the order of their turns. */
  readonly #waiting = new Map<string, Fifo<() => void>>();

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  push(network: string, work: () => void): void {
    let own = this.#waiting.get(network);
    if (!own) this.#waiting.set(network, (own = new Fifo()));
    own.push(work);
  }

  /** The next work, of a client that may have it. */
  shift(mayHave: (network: string) => boolean = () => true): (() => void) | undefined {
    for (const [network, own] of this.#waiting) {
      if (!mayHave(network)) continue;
      this.#waiting.delete(network);
      const work = own.shift();
      if (own.length > 0) this.#waiting.set(network, own);
      return work;
    }
    return undefined;
  }
}
