import type { AttemptOutcome } from '../domain/delivery.ts';
import { createKeyedLimiter, createLimiter } from '../domain/limiter.ts';
import { Agent, type Dispatcher } from 'undici';
import { connectionFailure } from './connection-failure.ts';
import { decodedStart } from './decoded-start.ts';
import { connector, type NetworkRule, RefusedAddressError, type Resolve } from './network.ts';

interface HttpAttempt {
  url: string;
  /** Called when a connection is free, so that a signature has the time of its request. */
  headers(): Promise<Record<string, string>>;
  body: string;
  timeoutMs: number;
  /** Keeps the answer of a success, too. */
  keepsAnswer?: boolean;
  begin?: BeginAttempt;
}

/**
 * Called when a connection is free for the attempt. If it returns nothing, no request is sent and the promise of the attempt rejects with
 * {@link AttemptNotBegun}. The function that it returns is called with the outcome before another attempt gets the connection.
 */
export type BeginAttempt = () => ((outcome: AttemptOutcome) => void) | undefined;

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
  const limited = createLimiter(MAX_SOCKETS);
  const limitedPerOrigin = createKeyedLimiter(SOCKETS_PER_ORIGIN);
  // An attempt that waits for its origin must not hold one of the places for all.
  return (attempt) =>
    limitedPerOrigin(originOf(attempt.url), () =>
      limited(async () => {
        const headers = await attempt.headers();
        const onEnd = attempt.begin ? attempt.begin() : () => undefined;
        if (!onEnd) throw new AttemptNotBegun();
        return post(dispatcher, { ...attempt, headers }, { now, onEnd });
      }),
    );
}

const outcomeOf = (error: unknown): AttemptOutcome =>
  error instanceof RefusedAddressError ? 'blocked' : 'unreachable';

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : '');

function post(
  dispatcher: Dispatcher,
  {
    url,
    headers,
    body,
    timeoutMs,
    keepsAnswer,
  }: Omit<HttpAttempt, 'headers'> & { headers: Record<string, string> },
  { now, onEnd }: { now: () => number; onEnd: (outcome: AttemptOutcome) => void },
): Promise<HttpOutcome> {
  const started = now();
  if (!URL.canParse(url)) {
    onEnd('unreachable');
    return Promise.resolve({ outcome: 'unreachable', reason: 'The URL is not valid', at: started, ms: 0 });
  }
  const { origin, pathname, search } = new URL(url);
  return new Promise((resolve) => {
    let status: number | undefined;
    let retryAfter: string | undefined;
    let encoding: string | undefined;
    let read = 0;
    const kept: Buffer[] = [];
    let abort: (() => void) | undefined;
    let isSettled = false;

    const settle = (outcome: HttpOutcome['outcome'], why?: string) => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      onEnd(outcome);
      const ms = now() - started;
      const ended = {
        outcome,
        ...(status === undefined ? {} : { status }),
        ...(retryAfter === undefined ? {} : { retryAfter }),
        at: started,
        ms,
      };
      if (why !== undefined) resolve({ ...ended, reason: why });
      else if (outcome === 'delivered' && !keepsAnswer) resolve(ended);
      else
        void decodedStart(Buffer.concat(kept), encoding, KEPT_BYTES).then((start) => {
          resolve({ ...ended, answer: start.toString('utf8') });
        });
    };
    const settleByStatus = (code: number) => {
      settle(code >= 200 && code < 300 ? 'delivered' : 'rejected');
    };
    const timer = setTimeout(() => {
      // The status has arrived and decides the outcome, even when the body is slow.
      if (status === undefined) settle('timed_out', `No answer within ${timeoutMs} ms`);
      else settleByStatus(status);
      abort?.();
    }, timeoutMs);

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(controller) {
        abort = () => {
          controller.abort(new Error('No longer needed'));
        };
        if (isSettled) abort();
      },
      onResponseStart(_controller, statusCode, answered) {
        if (statusCode < 200) return;
        status = statusCode;
        const { 'retry-after': value, 'content-encoding': coding } = answered;
        if (typeof value === 'string') retryAfter = value;
        if (typeof coding === 'string') encoding = coding;
      },
      onResponseData(_controller, chunk) {
        if (read < ENCODED_BYTES) kept.push(chunk);
        read += chunk.length;
        if (read <= READ_BYTES || status === undefined) return;
        settleByStatus(status);
        abort?.();
      },
      onResponseEnd() {
        settleByStatus(status ?? 0);
      },
      onResponseError(_controller, error) {
        // The status arrived before the connection broke, and decides the outcome.
        if (status === undefined) settle(outcomeOf(error), connectionFailure(error));
        else settleByStatus(status);
      },
    };
    try {
      dispatcher.dispatch({ origin, path: `${pathname}${search}`, method: 'POST', headers, body }, handler);
    } catch (error) {
      settle(outcomeOf(error), connectionFailure(error));
    }
  });
}
