import { MAX_MESSAGES } from './growing-batches.ts';
import type { ThreadLoad } from './thread-load.ts';

/** Under load a batch that is not full yet waits this long for more: fuller batches cost less each. */
const GATHER_MS = 2;
/** Load means that a batch runs which began so recently. A longer one may wait for a slow receiver. */
const RECENT_MS = 10;

/**
 * The same while the thread is busy, also if no batch runs: an event alone costs several times as much as one of fifty.
 */
const BUSY_GATHER_MS = 15;

/** The same while the thread has no time left. Another batch would not make anything end sooner then. */
const FULL_THREAD_GATHER_MS = 100;
/**
 * Each group in a batch costs a round trip to its process. When this many batches wait, few groups fill one: sixteen
 * busy sources are then as fast as one.
 */
const WAITING_BATCHES = 8;

/** A batch that could begin waits for so many messages, or for the end of the time. */
export interface Gathering {
  readonly messages: number;
  readonly ms: number;
}

interface BatchPaceOptions {
  readonly batchSize: number;
  readonly isFifo: boolean;
  /** Without it, batches are as large as on AWS. */
  readonly threadLoad: Pick<ThreadLoad, 'isFull' | 'isBusy'> | undefined;
}

/** Decides whether a batch begins at once, or gathers messages first. */
export class BatchPace {
  readonly #options: BatchPaceOptions;
  #startedAt = -Infinity;

  constructor(options: BatchPaceOptions) {
    this.#options = options;
  }

  started(): void {
    this.#startedAt = performance.now();
  }

  /** Undefined when the next batch begins at once. */
  gathering(running: number): Gathering | undefined {
    const { batchSize, isFifo, threadLoad } = this.#options;
    const isBusy = threadLoad?.isBusy() === true;
    if (running > 0 && threadLoad?.isFull() === true)
      return { messages: MAX_MESSAGES * (isFifo ? WAITING_BATCHES : 1), ms: FULL_THREAD_GATHER_MS };
    if (isBusy) return { messages: MAX_MESSAGES, ms: BUSY_GATHER_MS };
    const isLoaded = running > 0 && performance.now() - this.#startedAt < RECENT_MS;
    return isLoaded ? { messages: batchSize, ms: GATHER_MS } : undefined;
  }
}
