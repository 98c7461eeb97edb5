import { HOUR_MS, MINUTE_MS } from './durations.ts';

const SECOND_MS = 1_000;

/** Delays before attempts 2 to 10. */
const DELAYS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/** Random share by which a delay is shortened or extended, so that deliveries that failed together are not retried together. */
const JITTER = 0.2;
/** Minimum delay after a 429 or a timeout. */
const MIN_OVERLOAD_DELAY_MS = MINUTE_MS;

export interface FailedAttempt {
  /** The attempt that failed, from 1. */
  attempt: number;
  /** Status of the response; undefined without a response. */
  status?: number | undefined;
  timedOut: boolean;
  /** `Retry-After`, in ms from now. */
  retryAfterMs?: number | undefined;
  /** A random number in [0, 1). */
  random: number;
}

/** Delay before the next attempt in ms; undefined when there is none. `Retry-After` may at most double the scheduled delay. */
export function delayAfter({
  attempt,
  status,
  timedOut,
  retryAfterMs,
  random,
}: FailedAttempt): number | undefined {
  const delay = DELAYS_MS[attempt - 1];
  if (delay === undefined || status === 410) return undefined;
  const jittered = delay * (1 - JITTER + 2 * JITTER * random);
  const requested =
    retryAfterMs === undefined ? jittered : Math.min(Math.max(retryAfterMs, delay), 2 * delay);
  return Math.round(timedOut || status === 429 ? Math.max(requested, MIN_OVERLOAD_DELAY_MS) : requested);
}

/** Parses `Retry-After`, in seconds or as a date; undefined for any other text. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d+$/.test(text)) return Number(text) * SECOND_MS;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(at - now, 0);
}
