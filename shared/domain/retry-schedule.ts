const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Before attempts 2 to 10; the first is made at once (decisions, "Webhooks"). */
const DELAYS_MS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** Share of a delay by which it may be shorter or longer, so that deliveries that failed together do not come back together. */
const JITTER = 0.2;
/** A listener that asked for rest, or that was too slow to answer, gets at least this. */
const REST_MS = MINUTE;

export interface FailedAttempt {
  /** The attempt that failed, from 1. */
  attempt: number;
  /** The answer's status; none when it timed out or nobody answered. */
  status?: number | undefined;
  timedOut: boolean;
  /** `Retry-After`, read against the answer's time. */
  retryAfterMs?: number | undefined;
  /** In [0, 1). */
  random: number;
}

/** How long to wait after a failed attempt, or undefined when there is no further one. */
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
  const asked = retryAfterMs === undefined ? jittered : Math.min(Math.max(retryAfterMs, delay), 2 * delay);
  return Math.round(timedOut || status === 429 ? Math.max(asked, REST_MS) : asked);
}

/** `Retry-After` as seconds or as a date; undefined when it is neither. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d+$/.test(text)) return Number(text) * SECOND;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(at - now, 0);
}
