import type { Attempter, Destination, HttpAttempt, HttpOutcome } from '../../aws/http-attempt.ts';
import { failureSubjectOf } from '../../domain/delivery/failure-subject.ts';
import type { HeaderList } from '../../lib/header-list.ts';
import type { ListenerId } from '../../domain/id.ts';
import type { TargetCall } from '../../domain/target/aws-target.ts';
import { Expiring, type Timeouts } from '../../lib/timeouts.ts';
import type { TtlCache } from '../../lib/ttl-cache.ts';
import type { StoredDelivery } from '../../store/deliveries/delivery-item.ts';
import { type AttemptCounts, countedAttempt } from '../delivery/attempt-counts.ts';
import { attemptCall, attemptHeaders, FIRST_TIMEOUT_MS } from '../delivery/http-target.ts';
import type { Deferral } from './deferral.ts';
import type { FirstAttemptInput, RecordFirst } from './first-record.ts';
import type { Suspects } from './suspects.ts';
import type { UnansweredAttempts } from './unanswered-attempts.ts';

export interface FirstAttemptServices {
  attempt: Attempter;
  suspects: Suspects;
  unanswered: UnansweredAttempts;
  /** Start of the newest success of each webhook, epoch ms. */
  successes: TtlCache<ListenerId, number>;
  /** Ends when an attempt is slow. */
  slowTimeouts: Timeouts;
  deferral: Deferral;
  attemptCounts: Pick<AttemptCounts, 'count'>;
  keepsResponse(listenerId: ListenerId): boolean;
  record: RecordFirst;
  now(): number;
}

/** The ends of the promise that a batch waits for. */
interface Settle {
  resolve(left: Promise<void> | undefined): void;
  reject(error: unknown): void;
}

/** Longest wait for a connection: the URL, headers and secrets of the webhook were read before it. */
export const CONNECTION_WAIT_MS = 5_000;
const NO_MARKS: readonly Promise<void>[] = [];

/**
 * The first attempt of a delivery, from the wait for a connection to the record of the outcome. Requests before it to
 * the same origin may have all connections. Thousands of attempts may wait for one, so an attempt has neither functions
 * nor a timer of its own.
 */
export class FirstAttempt extends Expiring implements HttpAttempt {
  readonly timeoutMs = FIRST_TIMEOUT_MS;
  /** Time from which it waits for a connection, then its start. Epoch ms. */
  at: number;
  keepsResponse = false;
  readonly #services: FirstAttemptServices;
  readonly #input: FirstAttemptInput;
  readonly #settle: Settle;
  #awaitsConnection = true;
  #slow: Promise<StoredDelivery | undefined> | undefined;

  constructor(services: FirstAttemptServices, input: FirstAttemptInput, settle: Settle) {
    super();
    this.#services = services;
    this.#input = input;
    this.#settle = settle;
    this.at = services.now();
  }

  get destination(): Destination | undefined {
    return this.#input.decrypted.destination;
  }

  get ownerId(): string {
    return this.#input.decrypted.target.ownerId;
  }

  get body(): Buffer {
    return this.#input.item.body;
  }

  get call(): TargetCall | undefined {
    const { item, decrypted } = this.#input;
    if (!decrypted.target.target) return undefined;
    return attemptCall(decrypted.target, { ...item.message, body: item.body }, { now: this.at });
  }

  start(): void {
    this.#services.slowTimeouts.start(this);
    this.#services.attempt(this);
  }

  begin(): HeaderList | undefined {
    if (!this.#awaitsConnection) return undefined;
    const { suspects, unanswered, keepsResponse, now } = this.#services;
    const { item, decrypted } = this.#input;
    const at = now();
    if (at - this.at > CONNECTION_WAIT_MS || suspects.untilOf(decrypted.target) > at) {
      this.#leave();
      return undefined;
    }
    this.#awaitsConnection = false;
    this.at = at;
    this.keepsResponse = keepsResponse(decrypted.target.listenerId);
    const headers = attemptHeaders(decrypted, item.message, { body: item.body, now: at });
    unanswered.add(decrypted.target.listenerId, this);
    return headers;
  }

  /**
   * The attempt is slow. It ends if it still waits for a connection and its webhook hangs; otherwise its delivery is
   * stored.
   */
  expire(): void {
    const { unanswered, deferral } = this.#services;
    const { item, decrypted } = this.#input;
    if (this.#awaitsConnection && unanswered.areManySlow(decrypted.target.listenerId)) {
      this.#leave();
      return;
    }
    this.#slow = deferral.storeSlow(item.message, decrypted.target);
    // Awaited after the end; until then a rejection must not be unhandled.
    this.#slow.catch(() => undefined);
  }

  end(outcome: HttpOutcome): void {
    const { unanswered, attemptCounts } = this.#services;
    const { item, decrypted } = this.#input;
    unanswered.remove(decrypted.target.listenerId, this);
    attemptCounts.count(countedAttempt(decrypted.target, item.message, outcome));
    this.#close(outcome, this.#marksAfter(outcome));
  }

  fail(error: unknown): void {
    this.#services.slowTimeouts.cancel(this);
    this.#settle.reject(error);
  }

  /** Learns from the outcome. Returns the writes that mark the webhook as suspect. */
  #marksAfter(outcome: HttpOutcome): readonly Promise<void>[] {
    const { successes, suspects } = this.#services;
    const { listenerId } = this.#input.decrypted.target;
    const newest = successes.get(listenerId) ?? 0;
    const subject = failureSubjectOf(outcome);
    if (subject === undefined && this.at > newest) successes.set(listenerId, this.at);
    if (subject !== 'receiver' || newest > this.at) return NO_MARKS;
    const mark = suspects.add(listenerId, this.at);
    // Awaited with the record; until then a rejection must not be unhandled.
    mark.catch(() => undefined);
    return [mark];
  }

  /** Ends the attempt without a request. */
  #leave(): void {
    this.#awaitsConnection = false;
    this.#close(undefined, NO_MARKS);
  }

  #close(outcome: HttpOutcome | undefined, marks: readonly Promise<void>[]): void {
    this.#services.slowTimeouts.cancel(this);
    try {
      this.#settle.resolve(
        this.#slow
          ? this.#slow.then((slowItem) => this.#finish(outcome, marks, slowItem))
          : this.#finish(outcome, marks, undefined),
      );
    } catch (error) {
      this.#settle.reject(error);
    }
  }

  /** Returns what is left to do after the attempt. */
  #finish(
    outcome: HttpOutcome | undefined,
    marks: readonly Promise<void>[],
    slowItem: StoredDelivery | undefined,
  ): Promise<void> | undefined {
    const { deferral, record } = this.#services;
    const { item, decrypted } = this.#input;
    if (outcome) return record({ input: this.#input, outcome, marks, slowItem });
    return slowItem ? deferral.leave(slowItem) : deferral.park([item], decrypted.target);
  }
}
