import { createLimiter } from '../domain/limiter.ts';
import { Agent, type Dispatcher } from 'undici';
import { connector, type NetworkRule } from './network.ts';

interface HttpAttempt {
  url: string;
  headers: Record<string, string>;
  body: string;
  timeoutMs: number;
}

/** The outcome of an attempt. A failed attempt is a normal result, not an exception. */
export interface HttpOutcome {
  outcome: 'delivered' | 'rejected' | 'timed_out' | 'unreachable';
  status?: number;
  /** Value of the `Retry-After` header. */
  retryAfter?: string;
  /** The first KB of the response body, or why there was no response. */
  answer: string;
  ms: number;
}

export type Attempter = (attempt: HttpAttempt) => Promise<HttpOutcome>;

const MAX_SOCKETS = 200;
/** Keeps one slow receiver from using all sockets. */
const SOCKETS_PER_ORIGIN = 64;
const READ_BYTES = 64 * 1024;
const KEPT_BYTES = 1024;
const CONNECT_MS = 5_000;

export const createAgent = (rule: NetworkRule): Agent =>
  new Agent({
    connect: connector(rule, { timeout: CONNECT_MS }),
    connections: SOCKETS_PER_ORIGIN,
    pipelining: 1,
    // Every attempt has its own, shorter timeout.
    headersTimeout: 60_000,
    bodyTimeout: 60_000,
  });

export function createAttempter(dispatcher: Dispatcher, now: () => number): Attempter {
  const limited = createLimiter(MAX_SOCKETS);
  return (attempt) => limited(() => post(dispatcher, attempt, now));
}

const messageOf = (error: unknown): string =>
  error instanceof Error
    ? error.message || ('code' in error ? String(error.code) : error.name)
    : String(error);

function post(
  dispatcher: Dispatcher,
  { url, headers, body, timeoutMs }: HttpAttempt,
  now: () => number,
): Promise<HttpOutcome> {
  const started = now();
  if (!URL.canParse(url)) {
    return Promise.resolve({ outcome: 'unreachable', answer: 'The URL is not valid', ms: 0 });
  }
  const { origin, pathname, search } = new URL(url);
  return new Promise((resolve) => {
    let status: number | undefined;
    let retryAfter: string | undefined;
    let read = 0;
    const kept: Buffer[] = [];
    let abort: (() => void) | undefined;
    let isSettled = false;

    const settle = (outcome: HttpOutcome['outcome'], why?: string) => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      resolve({
        outcome,
        ...(status === undefined ? {} : { status }),
        ...(retryAfter === undefined ? {} : { retryAfter }),
        answer: why ?? Buffer.concat(kept).subarray(0, KEPT_BYTES).toString('utf8'),
        ms: now() - started,
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
        const { 'retry-after': value } = answered;
        if (typeof value === 'string') retryAfter = value;
      },
      onResponseData(_controller, chunk) {
        if (read < KEPT_BYTES) kept.push(chunk);
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
        if (status === undefined) settle('unreachable', messageOf(error));
        else settleByStatus(status);
      },
    };
    try {
      dispatcher.dispatch({ origin, path: `${pathname}${search}`, method: 'POST', headers, body }, handler);
    } catch (error) {
      settle('unreachable', messageOf(error));
    }
  });
}
