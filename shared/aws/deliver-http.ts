import { Agent, type Dispatcher } from 'undici';
import { connector, type NetworkRule } from './network.ts';

interface HttpAttempt {
  url: string;
  headers: Record<string, string>;
  body: string;
  timeoutMs: number;
}

/** How an attempt ended; a failed one is a normal result. */
export interface HttpOutcome {
  outcome: 'delivered' | 'rejected' | 'timed_out' | 'unreachable';
  status?: number;
  /** As the answer's header has it. */
  retryAfter?: string;
  /** The first kilobyte of the answer, or why there was none. */
  answer: string;
  ms: number;
}

export type Attempter = (attempt: HttpAttempt) => Promise<HttpOutcome>;

const MOST_SOCKETS = 200;
/** One slow receiver leaves room for the others. */
const SOCKETS_PER_ORIGIN = 64;
const READ_BYTES = 64 * 1024;
const KEPT_BYTES = 1024;
const CONNECT_MS = 5_000;

/** Lets at most so many run at once, the others in the order in which they came. */
function createLimiter(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

export const createAgent = (rule: NetworkRule): Agent =>
  new Agent({
    connect: connector(rule, { timeout: CONNECT_MS }),
    connections: SOCKETS_PER_ORIGIN,
    pipelining: 1,
    // Every attempt has its own, shorter one.
    headersTimeout: 60_000,
    bodyTimeout: 60_000,
  });

export function createAttempter(dispatcher: Dispatcher, now: () => number): Attempter {
  const limited = createLimiter(MOST_SOCKETS);
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
    return Promise.resolve({ outcome: 'unreachable', answer: 'The address cannot be read', ms: 0 });
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
      // Its answer had begun: what it said counts, however long the rest takes.
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
        // A connection that broke after a complete head still told what became of it.
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
