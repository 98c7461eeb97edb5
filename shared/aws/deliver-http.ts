import type { IncomingHttpHeaders } from 'node:http';
import type { AttemptOutcome } from '../domain/delivery.ts';
import { createKeyedPlaces, createPlaces } from '../domain/limiter.ts';
import { Agent, type Dispatcher } from 'undici';
import { connectionFailure } from './connection-failure.ts';
import { decodedStart } from './decoded-start.ts';
import { connector, type NetworkRule, RefusedAddressError, type Resolve } from './network.ts';

interface HttpAttempt {
  url: string;
  /** Called when a connection is free, so that a signature has the time of its request. */
  headers(): Record<string, string>;
  body: string;
  timeoutMs: number;
  /** Keeps the answer of a success, too. */
  keepsAnswer?: boolean;
  watcher?: AttemptWatcher;
}

/** The caller of an attempt, while the attempt has a connection. */
export interface AttemptWatcher {
  /** A connection is free. If false, no request is sent and the promise of the attempt rejects with {@link AttemptNotBegun}. */
  begin(): boolean;
  /** Called with the outcome before another attempt gets the connection. */
  end(outcome: AttemptOutcome): void;
}

/** The caller did not let the attempt begin: no request was sent. */
export class AttemptNotBegun extends Error {
  override name = 'AttemptNotBegun';
}

/** The outcome of an attempt. A failed attempt is a normal result, not an exception. */
export interface HttpOutcome {
  outcome: AttemptOutcome;
  status?: number;
  /** Value of the `Retry-After` header. */
  retryAfter?: string;
  /** The first KB of the decoded response body, if it is kept. */
  answer?: string;
  /** Why there was no response. */
  reason?: string;
  /** Start of the attempt, epoch ms. */
  at: number;
  ms: number;
}

export type Attempter = (attempt: HttpAttempt) => Promise<HttpOutcome>;

/** Fewer than the files that a function may open: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
export const MAX_SOCKETS = 640;
/** Keeps receivers that hang from using all sockets. */
export const SOCKETS_PER_ORIGIN = 64;
export const READ_BYTES = 64 * 1024;
export const KEPT_BYTES = 1024;
/** Enough of a compressed body for the first KB of what it contains. */
const ENCODED_BYTES = 4 * KEPT_BYTES;
const CONNECT_MS = 5_000;
/**
 * A connection is used for this long, however busy it is. Then the name is resolved again and its addresses are checked again, so that a
 * webhook's deliveries follow its name within a minute.
 */
export const LONGEST_CONNECTION_MS = 60_000;

/** `resolve` replaces the resolver of the system. */
export const createAgent = (rule: NetworkRule, options: { resolve?: Resolve } = {}): Agent =>
  new Agent({
    connect: connector(rule, { ...options, timeout: CONNECT_MS }),
    connections: SOCKETS_PER_ORIGIN,
    pipelining: 1,
    clientTtl: LONGEST_CONNECTION_MS,
    keepAliveMaxTimeout: LONGEST_CONNECTION_MS,
    // Every attempt has its own, shorter timeout.
    headersTimeout: 60_000,
    bodyTimeout: 60_000,
  });

export function createAttempter(dispatcher: Dispatcher, now: () => number): Attempter {
  const places = createPlaces(MAX_SOCKETS);
  const placesPerOrigin = createKeyedPlaces(SOCKETS_PER_ORIGIN);
  return async (attempt) => {
    const url = urlOf(attempt.url);
    const origin = url?.origin ?? '';
    // An attempt that waits for its origin must not hold one of the places for all.
    const turn = placesPerOrigin.take(origin);
    if (turn) await turn;
    const turnOfAll = places.take();
    if (turnOfAll) await turnOfAll;
    try {
      const headers = attempt.headers();
      if (attempt.watcher?.begin() === false) throw new AttemptNotBegun();
      return await new Exchange(dispatcher, { ...attempt, url, headers }, now).outcome;
    } finally {
      places.release();
      placesPerOrigin.release(origin);
    }
  };
}

const outcomeOf = (error: unknown): AttemptOutcome =>
  error instanceof RefusedAddressError ? 'blocked' : 'unreachable';

const urlOf = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

interface HttpRequest extends Omit<HttpAttempt, 'url' | 'headers'> {
  url: URL | undefined;
  headers: Record<string, string>;
}

/** One request and its response. The outcome is known before the response has ended if it is slow, or larger than what is read. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly outcome: Promise<HttpOutcome>;
  readonly #request: HttpRequest;
  readonly #now: () => number;
  readonly #at: number;
  #resolve: (outcome: HttpOutcome) => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #status: number | undefined;
  #retryAfter: string | undefined;
  #encoding: string | undefined;
  #read = 0;
  #kept: Buffer[] = [];
  #isSettled = false;

  constructor(dispatcher: Dispatcher, request: HttpRequest, now: () => number) {
    this.#request = request;
    this.#now = now;
    this.#at = now();
    this.outcome = new Promise((resolve) => (this.#resolve = resolve));
    if (request.url) this.#send(dispatcher, request.url);
    else this.#settle('unreachable', 'The URL is not valid');
  }

  #send(dispatcher: Dispatcher, { origin, pathname, search }: URL): void {
    const { headers, body, timeoutMs } = this.#request;
    this.#timer = setTimeout(() => {
      this.#timeOut();
    }, timeoutMs);
    try {
      dispatcher.dispatch({ origin, path: `${pathname}${search}`, method: 'POST', headers, body }, this);
    } catch (error) {
      this.#settle(outcomeOf(error), connectionFailure(error));
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isSettled) this.#abort();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    { 'retry-after': retryAfter, 'content-encoding': encoding }: IncomingHttpHeaders,
  ): void {
    if (status < 200) return;
    this.#status = status;
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

  #timeOut(): void {
    // The status has arrived and decides the outcome, even when the body is slow.
    if (this.#status === undefined)
      this.#settle('timed_out', `No answer within ${this.#request.timeoutMs} ms`);
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
    clearTimeout(this.#timer);
    const { watcher, keepsAnswer } = this.#request;
    watcher?.end(outcome);
    const ended: HttpOutcome = { outcome, at: this.#at, ms: this.#now() - this.#at };
    if (this.#status !== undefined) ended.status = this.#status;
    if (this.#retryAfter !== undefined) ended.retryAfter = this.#retryAfter;
    if (reason !== undefined) this.#resolve({ ...ended, reason });
    else if (outcome === 'delivered' && !keepsAnswer) this.#resolve(ended);
    else
      void decodedStart(Buffer.concat(this.#kept), this.#encoding, KEPT_BYTES).then((start) => {
        this.#resolve({ ...ended, answer: start.toString('utf8') });
      });
  }
}
