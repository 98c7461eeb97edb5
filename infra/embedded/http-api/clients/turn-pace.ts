import { FairQueue } from './fair-queue.ts';

/**
 * Work of requests that begin in one turn of the event loop, in ms. Timers, signals and other connections come between
 * two turns.
 */
const TURN_MS = 20;

/**
 * The pace at which requests begin. Thousands of connections may be readable in one turn of the event loop; without a
 * pace nothing else would happen until all of their requests are done. Those that do not begin at once go one client
 * after the other.
 */
export class TurnPace {
  readonly #waiting = new FairQueue();
  readonly #now: () => number;
  /** When the first request of this turn began. */
  #since: number | undefined;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  start(network: string, work: () => void): void {
    if (this.#waiting.isEmpty && this.#hasTime()) work();
    else this.#waiting.push(network, work);
  }

  #hasTime(): boolean {
    if (this.#since === undefined) {
      this.#since = this.#now();
      setImmediate(() => {
        this.#since = undefined;
        this.#startWaiting();
      });
    }
    return this.#now() - this.#since < TURN_MS;
  }

  #startWaiting(): void {
    if (this.#waiting.isEmpty || !this.#hasTime()) return;
    this.#waiting.shift()?.();
    // After all promises that the work settles, so that its time counts.
    queueMicrotask(() => {
      process.nextTick(() => {
        this.#startWaiting();
      });
    });
  }
}
