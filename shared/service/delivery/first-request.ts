import { AttemptNotBegun, type AttemptWatcher, type HttpOutcome } from '../../aws/deliver-http.ts';
import type { AttemptOutcome } from '../../domain/delivery.ts';
import type { ListenerId } from '../../domain/id.ts';
import { TtlCache } from '../../domain/ttl-cache.ts';
import {
  type AttemptOptions,
  FIRST_TIMEOUT_MS,
  type HttpTarget,
  type OpenedFields,
  sendOpened,
} from './http-target.ts';
import type { ReadMessage } from './stored-first.ts';
import type { Suspects } from './suspects.ts';
import type { UnansweredAttempts } from './unanswered-attempts.ts';

interface FirstRequestParts {
  suspects: Suspects;
  unanswered: UnansweredAttempts;
}

/** Longest wait for a connection: the URL, headers and secrets of the webhook were read before it. */
export const CONNECTION_WAIT_MS = 5_000;
const MAX_SUCCESSES = 10_000;
/** Time window of the breaker (`webhook-health.ts`). */
const SUCCESS_MS = 60_000;

export type FirstRequests = ReturnType<typeof createFirstRequests>;

/** Sends first attempts, and learns from their outcomes which webhooks fail. */
export function createFirstRequests(options: AttemptOptions, parts: FirstRequestParts) {
  const { now } = options;
  /** Start of the newest success of each webhook in this instance. The log gets a success only at the end of its batch. */
  const successes = new TtlCache<ListenerId, number>({ ttlMs: SUCCESS_MS, maxEntries: MAX_SUCCESSES, now });
  const own = { ...parts, successes, now };

  return {
    /** Start of the newest success in this instance, epoch ms. */
    lastSuccess: (listenerId: ListenerId): number | undefined => successes.get(listenerId),

    send({ message, body }: ReadMessage, target: HttpTarget, opened: OpenedFields): FirstRequest {
      const request = new FirstRequest(own, target);
      const sent = { ...message, body };
      request.follow(
        sendOpened(options, { target, opened, sent, timeoutMs: FIRST_TIMEOUT_MS, watcher: request }),
      );
      return request;
    },
  };
}

interface Learning extends FirstRequestParts {
  successes: TtlCache<ListenerId, number>;
  now(): number;
}

const NO_MARKS: readonly Promise<void>[] = [];

/** The request of one first attempt. It waits for a connection, as requests before it to the same origin may have all of them. */
export class FirstRequest implements AttemptWatcher {
  /** Undefined if no request was sent. */
  readonly outcome: Promise<HttpOutcome | undefined>;
  /** Writes that mark the webhook as suspect. Complete when there is an outcome. */
  marks = NO_MARKS;
  /** Time from which it waits for a connection, then its start. Epoch ms. */
  at: number;
  readonly #learning: Learning;
  readonly #target: HttpTarget;
  #state: 'waiting' | 'sent' | 'given up' = 'waiting';
  #resolve: (outcome: HttpOutcome | undefined) => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;

  constructor(learning: Learning, target: HttpTarget) {
    this.#learning = learning;
    this.#target = target;
    this.at = learning.now();
    this.outcome = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** The outcome of the attempt becomes that of the request. */
  follow(attempt: Promise<HttpOutcome>): void {
    attempt.then(this.#resolve, (error: unknown) => {
      if (error instanceof AttemptNotBegun) this.#resolve(undefined);
      else this.#reject(error);
    });
  }

  begin(): boolean {
    const { suspects, unanswered, now } = this.#learning;
    const at = now();
    const isToSend =
      this.#state === 'waiting' && at - this.at <= CONNECTION_WAIT_MS && suspects.untilOf(this.#target) <= at;
    if (!isToSend) return false;
    this.#state = 'sent';
    this.at = at;
    unanswered.add(this.#target.listenerId, this);
    return true;
  }

  end(outcome: AttemptOutcome): void {
    const { successes, suspects, unanswered } = this.#learning;
    const { listenerId } = this.#target;
    unanswered.remove(listenerId, this);
    const newest = successes.get(listenerId) ?? 0;
    if (outcome === 'delivered') {
      if (this.at > newest) successes.set(listenerId, this.at);
    } else if (newest <= this.at) {
      const mark = suspects.add(listenerId, this.at);
      // Awaited with the record; until then a rejection must not be unhandled.
      mark.catch(() => undefined);
      this.marks = [mark];
    }
  }

  /** Ends the wait for a connection if the webhook hangs. False if the request was sent, or if it goes on waiting. */
  giveUp(): boolean {
    if (this.#state !== 'waiting' || !this.#learning.unanswered.areManySlow(this.#target.listenerId))
      return false;
    this.#state = 'given up';
    this.#resolve(undefined);
    return true;
  }
}
