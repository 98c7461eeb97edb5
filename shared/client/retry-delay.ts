import { retryAfterMs } from '../domain/delivery/retry-schedule.ts';

/** An attempt that did not succeed. */
export interface FailedAttempt {
  method: string;
  /** Undefined if no response came. */
  status: number | undefined;
  /** The error code of the response. */
  code: string | undefined;
  /** The header `Retry-After`. */
  retryAfter: string | undefined;
  /** Attempts before this one. */
  earlier: number;
}

export interface RetryOptions {
  /** Attempts after the first one. Default: 4. */
  retries?: number;
  /** The longest wait; a request whose response asks for more fails at once. Default: 30 s. */
  maxWaitMs?: number;
}

interface DelayContext extends RetryOptions {
  /** Epoch ms. */
  now: number;
  /** From 0 to 1. */
  random: number;
}

/** Repeating one of these leaves the same state behind. */
const REPEATABLE = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);
const TRANSIENT = new Set([502, 503, 504]);

const FIRST_DELAY_MS = 250;
const LONGEST_BACKOFF_MS = 8_000;

/** Time to wait before the same request is sent again; undefined if it must not be. */
export function retryDelayMs(
  failed: FailedAttempt,
  { retries = 4, maxWaitMs = 30_000, now, random }: DelayContext,
): number | undefined {
  if (failed.earlier >= retries || !mayRepeat(failed)) return undefined;
  const demanded = retryAfterMs(failed.retryAfter, now);
  if (demanded !== undefined) return demanded <= maxWaitMs ? demanded : undefined;
  const backoff = Math.min(LONGEST_BACKOFF_MS, FIRST_DELAY_MS * 2 ** failed.earlier);
  return Math.min(maxWaitMs, backoff * (0.5 + random / 2));
}

function mayRepeat({ method, status, code }: FailedAttempt): boolean {
  // The service refused before it did anything. A build continues, and the same request then finds its result.
  if (status === 429 || code === 'still_building') return true;
  return REPEATABLE.has(method) && (status === undefined || TRANSIENT.has(status));
}
