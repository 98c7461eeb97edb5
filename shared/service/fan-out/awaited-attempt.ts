import type { HttpOutcome } from '../../aws/http-attempt.ts';
import { Expiring, type Timeouts } from '../../domain/timeouts.ts';
import type { StoredDelivery } from '../../store/delivery-item.ts';
import type { FirstRequest, FirstRequests, Sender } from './first-request.ts';
import type { OpenTarget } from '../delivery/http-target.ts';
import type { DeliveryBatch, ReadMessage } from './stored-first.ts';

/** A first attempt to make. */
export interface FirstAttemptInput {
  readonly item: ReadMessage;
  readonly open: OpenTarget;
  readonly batch: DeliveryBatch;
}

/** A first attempt that has ended. */
export interface Ended {
  readonly input: FirstAttemptInput;
  /** Undefined if no request was sent. */
  readonly outcome: HttpOutcome | undefined;
  /** Writes that mark the webhook as suspect. */
  readonly marks: readonly Promise<void>[];
  /** The delivery, if it was stored as slow. */
  readonly slowItem: StoredDelivery | undefined;
}

export interface AttemptWork {
  requests: FirstRequests;
  /** Ends when an attempt is slow. */
  slowTimeouts: Timeouts;
  /** Stores the delivery of a slow attempt. */
  storeSlow(input: FirstAttemptInput): Promise<StoredDelivery | undefined>;
  /** Counts an attempt that was sent. */
  count(input: FirstAttemptInput, outcome: HttpOutcome): void;
  /** Returns what is left to do after the attempt. */
  finish(ended: Ended): Promise<void> | undefined;
}

/** The ends of the promise that a batch waits for. */
export interface Settle {
  resolve(left: Promise<void> | undefined): void;
  reject(error: unknown): void;
}

/** A first attempt that its batch waits for. Thousands may wait for a connection, so it has neither functions nor a timer of its own. */
export class AwaitedAttempt extends Expiring implements Sender {
  readonly #work: AttemptWork;
  readonly #input: FirstAttemptInput;
  readonly #settle: Settle;
  #request: FirstRequest | undefined;
  #slow: Promise<StoredDelivery | undefined> | undefined;

  constructor(work: AttemptWork, input: FirstAttemptInput, settle: Settle) {
    super();
    this.#work = work;
    this.#input = input;
    this.#settle = settle;
  }

  start(): void {
    const { requests, slowTimeouts } = this.#work;
    slowTimeouts.start(this);
    this.#request = requests.send(this.#input, this);
  }

  /** The attempt is slow. */
  expire(): void {
    if (this.#request?.giveUp()) return;
    this.#slow = this.#work.storeSlow(this.#input);
    // Awaited after the end; until then a rejection must not be unhandled.
    this.#slow.catch(() => undefined);
  }

  end(outcome: HttpOutcome | undefined, marks: readonly Promise<void>[]): void {
    const { slowTimeouts, count, finish } = this.#work;
    slowTimeouts.cancel(this);
    const input = this.#input;
    try {
      if (outcome) count(input, outcome);
      const left = this.#slow
        ? this.#slow.then((slowItem) => finish({ input, outcome, marks, slowItem }))
        : finish({ input, outcome, marks, slowItem: undefined });
      this.#settle.resolve(left);
    } catch (error) {
      this.#settle.reject(error);
    }
  }

  fail(error: unknown): void {
    this.#work.slowTimeouts.cancel(this);
    this.#settle.reject(error);
  }
}
