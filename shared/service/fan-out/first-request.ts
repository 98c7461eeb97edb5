import type { Destination, HttpAttempt, HttpOutcome } from '../../aws/http-attempt.ts';
import type { HeaderList } from '../../domain/header-list.ts';
import type { ListenerId } from '../../domain/id.ts';
import { TtlCache } from '../../domain/ttl-cache.ts';
import {
  type AttemptOptions,
  attemptHeaders,
  FIRST_TIMEOUT_MS,
  type OpenTarget,
} from '../delivery/http-target.ts';
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

    /** Sends an event when a connection is free. `sender` is called once, perhaps before this returns. */
    send({ item, open }: RequestInput, sender: Sender): FirstRequest {
      const request = new FirstRequest(own, { item, open, sender });
      options.attempt(request);
      return request;
    },
  };
}

/** The caller, which waits for a request. */
export interface Sender {
  /** `outcome` is undefined if no request was sent. `marks` are writes that mark the webhook as suspect. */
  end(outcome: HttpOutcome | undefined, marks: readonly Promise<void>[]): void;
  fail(error: unknown): void;
}

interface Learning extends FirstRequestParts {
  successes: TtlCache<ListenerId, number>;
  now(): number;
}

const NO_MARKS: readonly Promise<void>[] = [];

/** An event, and the webhook that gets it. */
interface RequestInput {
  item: ReadMessage;
  open: OpenTarget;
}

/** The request of one first attempt. It waits for a connection, as requests before it to the same origin may have all of them. */
export class FirstRequest implements HttpAttempt {
  readonly timeoutMs = FIRST_TIMEOUT_MS;
  /** Time from which it waits for a connection, then its start. Epoch ms. */
  at: number;
  readonly #learning: Learning;
  readonly #item: ReadMessage;
  readonly #open: OpenTarget;
  readonly #sender: Sender;
  #isWaiting = true;

  constructor(learning: Learning, { item, open, sender }: RequestInput & { sender: Sender }) {
    this.#learning = learning;
    this.#item = item;
    this.#open = open;
    this.#sender = sender;
    this.at = learning.now();
  }

  get destination(): Destination | undefined {
    return this.#open.destination;
  }

  get ownerId(): string {
    return this.#open.target.ownerId;
  }

  get body(): Buffer {
    return this.#item.body;
  }

  begin(): HeaderList | undefined {
    if (!this.#isWaiting) return undefined;
    const { suspects, unanswered, now } = this.#learning;
    const { target } = this.#open;
    const at = now();
    if (at - this.at > CONNECTION_WAIT_MS || suspects.untilOf(target) > at) {
      this.#leave();
      return undefined;
    }
    this.#isWaiting = false;
    this.at = at;
    const headers = attemptHeaders(this.#open, this.#item.message, { body: this.#item.body, now: at });
    unanswered.add(target.listenerId, this);
    return headers;
  }

  end(outcome: HttpOutcome): void {
    const { successes, suspects, unanswered } = this.#learning;
    const { listenerId } = this.#open.target;
    unanswered.remove(listenerId, this);
    let marks = NO_MARKS;
    const newest = successes.get(listenerId) ?? 0;
    if (outcome.outcome === 'delivered') {
      if (this.at > newest) successes.set(listenerId, this.at);
    } else if (newest <= this.at) {
      const mark = suspects.add(listenerId, this.at);
      // Awaited with the record; until then a rejection must not be unhandled.
      mark.catch(() => undefined);
      marks = [mark];
    }
    this.#sender.end(outcome, marks);
  }

  fail(error: unknown): void {
    this.#sender.fail(error);
  }

  /** Ends the wait for a connection if the webhook hangs. False if the request was sent, or if it goes on waiting. */
  giveUp(): boolean {
    if (!this.#isWaiting || !this.#learning.unanswered.areManySlow(this.#open.target.listenerId))
      return false;
    this.#leave();
    return true;
  }

  #leave(): void {
    this.#isWaiting = false;
    this.#sender.end(undefined, NO_MARKS);
  }
}
