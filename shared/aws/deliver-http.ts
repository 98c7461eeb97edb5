import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { textOfStart } from '../lib/cut.ts';
import type { AttemptOutcome } from '../domain/delivery/delivery.ts';
import { keptHeaders } from '../domain/delivery/kept-headers.ts';
import type { HeaderList } from '../lib/header-list.ts';
import { KeyedPermits, Permits } from '../lib/limiter.ts';
import type { NetworkRule } from '../domain/network/network-rule.ts';
import { Expiring, Timeouts } from '../lib/timeouts.ts';
import { connectionFailure } from './connection-failure.ts';
import { decodedStart } from './decoded-start.ts';
import {
  type AgentOptions,
  DeliveryAgent,
  MAX_SOCKETS,
  READ_BYTES,
  SOCKETS_PER_ORIGIN,
  SOCKETS_PER_OWNER,
} from './delivery-agent.ts';
import type { Attempter, HttpAttempt, HttpOutcome } from './http-attempt.ts';
import { RefusedAddressError } from './network.ts';
import type { DeliverToTarget } from './targets/deliver-to-target.ts';

export const KEPT_BYTES = 1024;
/** Enough of a compressed body for the first KB of what it contains. */
const ENCODED_BYTES = 4 * KEPT_BYTES;

/** Made here, because some functions load this one file at their first attempt. */
export const createAgent = (rule: NetworkRule, options: AgentOptions = {}): DeliveryAgent =>
  new DeliveryAgent(rule, options);

type Connections = Pick<DeliveryAgent, 'dispatch' | 'resolve'>;

export function createAttempter(
  dispatcher: Connections,
  now: () => number,
  deliverToTarget: DeliverToTarget,
): Attempter {
  /** By their timeouts: there are two. */
  const known = new Map<number, ExchangeOptions>();
  const permits = new Permits<HttpAttempt>(MAX_SOCKETS, begin);
  // An attempt that waits for its owner must not hold one of the permits for all, and one that waits for its origin
  // none of its owner's.
  const permitsOfOwners = new KeyedPermits<HttpAttempt>(SOCKETS_PER_OWNER, (attempt) => permits.add(attempt));
  const permitsOfOrigins = new KeyedPermits<HttpAttempt>(SOCKETS_PER_ORIGIN, (attempt) =>
    permitsOfOwners.add(attempt.ownerId, attempt),
  );

  function begin(attempt: HttpAttempt): void {
    const headers = headersOf(attempt);
    if (!headers) release(attempt);
    else send(attempt, headers);
  }

  function send(attempt: HttpAttempt, headers: HeaderList): void {
    const { call } = attempt;
    if (call) void endWith(attempt, deliverToTarget(call, attempt));
    else new Exchange(attempt, optionsOf(attempt)).send(dispatcher, headers);
  }

  async function endWith(attempt: HttpAttempt, outcome: Promise<HttpOutcome>): Promise<void> {
    attempt.end(await outcome);
    release(attempt);
  }

  function optionsOf({ timeoutMs }: HttpAttempt): ExchangeOptions {
    const options = known.get(timeoutMs) ?? { now, release, timeouts: new Timeouts(timeoutMs) };
    known.set(timeoutMs, options);
    return options;
  }

  function release(attempt: HttpAttempt): void {
    permits.release();
    permitsOfOwners.release(attempt.ownerId);
    permitsOfOrigins.release(originOf(attempt));
  }

  return (attempt) => permitsOfOrigins.add(originOf(attempt), attempt);
}

/** Users that send to the same origin do not wait for each other. */
const originOf = ({ destination, ownerId }: HttpAttempt): string => `${ownerId} ${destination?.origin ?? ''}`;

function headersOf(attempt: HttpAttempt): HeaderList | undefined {
  try {
    return attempt.begin();
  } catch (error) {
    attempt.fail(error);
    return undefined;
  }
}

const outcomeOf = (error: unknown): AttemptOutcome =>
  error instanceof RefusedAddressError ? 'blocked' : 'unreachable';

interface ExchangeOptions {
  now(): number;
  release(attempt: HttpAttempt): void;
  timeouts: Timeouts;
}

/**
 * One request and its response. The outcome is known before the response has ended if it is slow, or larger than what
 * is read.
 */
class Exchange extends Expiring implements Dispatcher.DispatchHandler {
  readonly #attempt: HttpAttempt;
  readonly #options: ExchangeOptions;
  readonly #at: number;
  #controller: Dispatcher.DispatchController | undefined;
  #sent: HeaderList = [];
  #status: number | undefined;
  #received: IncomingHttpHeaders = {};
  #retryAfter: string | undefined;
  #encoding: string | undefined;
  #read = 0;
  #kept: Buffer[] = [];
  #isSettled = false;

  constructor(attempt: HttpAttempt, options: ExchangeOptions) {
    super();
    this.#attempt = attempt;
    this.#options = options;
    this.#at = options.now();
  }

  send(connections: Connections, headers: HeaderList): void {
    const { destination, body } = this.#attempt;
    if (!destination) {
      this.#settle('unreachable', 'The URL is not valid');
      return;
    }
    this.#sent = headers;
    this.#options.timeouts.start(this);
    connections.resolve(destination, this.#attempt.ownerId, (failure) => {
      // Its time may have passed meanwhile.
      if (this.#isSettled) return;
      try {
        if (failure) throw failure;
        const { origin, path } = destination;
        // One literal: V8 reads an object made by spread several times slower.
        connections.dispatch({ origin, path, method: 'POST', headers, body }, this);
      } catch (error) {
        this.#settle(outcomeOf(error), connectionFailure(error));
      }
    });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isSettled) this.#abort();
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    const { 'retry-after': retryAfter, 'content-encoding': encoding } = headers;
    this.#status = status;
    this.#received = headers;
    if (typeof retryAfter === 'string') this.#retryAfter = retryAfter;
    if (typeof encoding === 'string') this.#encoding = encoding;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#read < ENCODED_BYTES) this.#kept.push(chunk);
    this.#read += chunk.length;
    if (this.#read <= READ_BYTES || this.#status === undefined) return;
    this.#settleByStatus(this.#status);
    this.#abort();
  }

  onResponseEnd(): void {
    this.#settleByStatus(this.#status ?? 0);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    // The status arrived before the connection broke, and decides the outcome.
    if (this.#status === undefined) this.#settle(outcomeOf(error), connectionFailure(error));
    else this.#settleByStatus(this.#status);
  }

  expire(): void {
    // The status has arrived and decides the outcome, even when the body is slow.
    if (this.#status === undefined) this.#settle('timed_out', `No response within ${this.#attempt.timeoutMs} ms`);
    else this.#settleByStatus(this.#status);
    this.#abort();
  }

  #abort(): void {
    this.#controller?.abort(new Error('No longer needed'));
  }

  #settleByStatus(status: number): void {
    this.#settle(status >= 200 && status < 300 ? 'delivered' : 'rejected');
  }

  #settle(outcome: AttemptOutcome, reason?: string): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#options.timeouts.cancel(this);
    const ended: HttpOutcome = { outcome, at: this.#at, ms: this.#options.now() - this.#at };
    if (this.#status !== undefined) ended.status = this.#status;
    if (this.#retryAfter !== undefined) ended.retryAfter = this.#retryAfter;
    if (reason !== undefined) this.#end({ ...ended, reason });
    else if (outcome === 'delivered' && !this.#attempt.keepsResponse) this.#end(ended);
    else
      void decodedStart(Buffer.concat(this.#kept), this.#encoding, KEPT_BYTES).then((start) => {
        const headers = keptHeaders(this.#received, this.#sent);
        this.#end({ ...ended, answer: textOfStart(start, KEPT_BYTES), headers });
      });
  }

  #end(outcome: HttpOutcome): void {
    this.#attempt.end(outcome);
    this.#options.release(this.#attempt);
  }
}
