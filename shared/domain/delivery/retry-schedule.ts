import { HOUR_MS, MINUTE_MS } from '../../lib/durations.ts';

const SECOND_MS = 1_000;
const HOUR_S = 3_600;

/** Seconds before attempts 2 to 10, unless the webhook has its own. */
const RETRY_SECONDS: readonly number[] = [...[5, 300, 1_800], ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_S)];

/** Further attempts of a delivery to an ordered webhook after one that failed about the event. */
const ORDERED_RETRIES = 3;

/** The schedule of an ordered webhook: a bad event must not hold up those behind it for long. */
export const orderedPauses = (retrySeconds: readonly number[] | null): readonly number[] =>
  (retrySeconds ?? RETRY_SECONDS).slice(0, ORDERED_RETRIES);

/** `10 tries in 75.6 h`: the attempts of a schedule, and the time from the first to the last without jitter. */
export function triesText(retrySeconds: readonly number[] | null): string {
  const pauses = retrySeconds ?? RETRY_SECONDS;
  if (pauses.length === 0) return '1 try';
  const seconds = pauses.reduce((sum, pause) => sum + pause, 0);
  const [unit, name] = [[HOUR_S, 'h'] as const, [60, 'min'] as const].find(([size]) => seconds >= size) ?? [1, 's'];
  return `${pauses.length + 1} tries in ${Math.round((10 * seconds) / unit) / 10} ${name}`;
}

/** The tries after attempts that fail about the event. */
export const triesOf = (retrySeconds: readonly number[] | null, ordered: boolean): string =>
  triesText(ordered ? orderedPauses(retrySeconds) : retrySeconds);

/**
 * Random share by which a delay is shortened or extended, so that deliveries that failed together are not retried
 * together.
 */
const JITTER = 0.2;
/** Minimum delay after a 429 or a timeout. */
const MIN_OVERLOAD_DELAY_MS = MINUTE_MS;
/** `Retry-After` counts up to twice the scheduled delay and this time. */
const RETRY_AFTER_GRACE_MS = 2 * HOUR_MS;

export interface FailedAttempt {
  /** The attempt that failed, from 1. */
  attempt: number;
  /** The webhook's own schedule, in s before each further attempt. */
  retrySeconds: readonly number[] | null;
  /** Status of the response; undefined without a response. */
  status?: number | undefined;
  timedOut: boolean;
  /** `Retry-After`, in ms from now. */
  retryAfterMs?: number | undefined;
  /** A random number in [0, 1). */
  random: number;
}

/** Delay before the next attempt in ms; undefined when there is none. Never shorter than {@link leastDelayAfter}. */
export function delayAfter(failed: FailedAttempt): number | undefined {
  const delay = scheduledDelay(failed);
  if (delay === undefined) return undefined;
  const jittered = delay * (1 - JITTER + 2 * JITTER * failed.random);
  const scheduled = failed.retryAfterMs === undefined ? jittered : delay;
  return Math.round(Math.max(scheduled, leastDelayAfter(failed)));
}

/**
 * Delay in ms that the response asks for: `Retry-After` within its limit, and 60 s after a 429 or a timeout. 0 if it
 * asks for none.
 */
export function leastDelayAfter(failed: Omit<FailedAttempt, 'random'>): number {
  const { status, timedOut, retryAfterMs = 0 } = failed;
  const longest = 2 * (scheduledDelay(failed) ?? 0) + RETRY_AFTER_GRACE_MS;
  return Math.max(Math.min(retryAfterMs, longest), timedOut || status === 429 ? MIN_OVERLOAD_DELAY_MS : 0);
}

function scheduledDelay({ attempt, retrySeconds }: Pick<FailedAttempt, 'attempt' | 'retrySeconds'>) {
  const seconds = (retrySeconds ?? RETRY_SECONDS)[attempt - 1];
  return seconds === undefined ? undefined : seconds * SECOND_MS;
}

/**
 * The forms of a date in HTTP: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6
 * 08:49:37 1994`. https://www.rfc-editor.org/rfc/rfc9110#name-date-time-formats
 */
const HTTP_DATES = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

/** Parses `Retry-After`, in whole seconds or as a date of HTTP; undefined for any other text. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d+$/.test(text)) return Number(text) * SECOND_MS;
  if (!HTTP_DATES.some((form) => form.test(text))) return undefined;
  const at = Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`);
  return Number.isNaN(at) ? undefined : Math.max(at - now, 0);
}
