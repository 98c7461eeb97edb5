import * as z from 'zod';
import { readCron } from '../../lib/schedule/cron.ts';

/** The stored value of a timer prop; a time zone only when it was set. */
export const TimerValue = z.object({
  interval_seconds: z.number().int().nullable(),
  cron: z.string().nullable(),
  timezone: z.string().optional(),
});
export type TimerValue = z.infer<typeof TimerValue>;

const MIN_INTERVAL_SECONDS = 15;
/** Ten years; a longer interval is probably a mistake. */
const MAX_INTERVAL_SECONDS = 315_360_000;
const HOURLY: TimerValue = { interval_seconds: 3_600, cron: null };

export type TimerReading = { ok: true; value: TimerValue } | { ok: false; problem: string };

const TimerInput = z
  .looseObject({
    interval_seconds: z.unknown(),
    intervalSeconds: z.unknown(),
    cron: z.unknown(),
    timezone: z.unknown(),
  })
  .partial();
const MEMBERS: readonly string[] = Object.keys(TimerInput.shape);
const MEMBER_LIST = 'interval_seconds, or cron with an optional timezone';

/**
 * Reads the timer that a caller sends. A member that a timer does not have is a mistake, such as `timeZone` or
 * `interval`.
 */
export function readTimer(value: unknown, fallback?: unknown): TimerReading {
  const unknown = isMembers(value) ? Object.keys(value).find((name) => !MEMBERS.includes(name)) : undefined;
  return unknown === undefined
    ? readDeclaredTimer(value, fallback)
    : problem(`has the unknown member ${unknown}; a timer has ${MEMBER_LIST}`);
}

const isMembers = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Reads a timer that a component declares or a caller sends. Null counts as absent, so that a response can be sent
 * back. A value without interval and cron takes the fallback, which is the prop's default, or else one hour.
 */
function readDeclaredTimer(value: unknown, fallback?: unknown): TimerReading {
  if (value === undefined || value === null) return orElse(fallback);
  const parsed = TimerInput.safeParse(value);
  if (!parsed.success || Array.isArray(value)) return problem(`must be an object with ${MEMBER_LIST}`);
  const interval = parsed.data.interval_seconds ?? parsed.data.intervalSeconds ?? undefined;
  const cron = parsed.data.cron ?? undefined;
  if (interval !== undefined && cron !== undefined) return problem('must have interval_seconds or cron, not both');
  const timezone = parsed.data.timezone ?? undefined;
  if (cron !== undefined) return readCronTimer(cron, timezone);
  if (timezone !== undefined) return problem('has a timezone without a cron: add cron, or leave timezone out');
  return interval === undefined ? orElse(fallback) : readInterval(interval);
}

const orElse = (fallback: unknown): TimerReading =>
  fallback === undefined || fallback === null ? { ok: true, value: HOURLY } : readDeclaredTimer(fallback);

function readInterval(interval: unknown): TimerReading {
  if (typeof interval !== 'number' || !Number.isInteger(interval)) {
    return problem('must have an integer as interval_seconds');
  }
  if (interval < MIN_INTERVAL_SECONDS) return problem(`must have interval_seconds of at least ${MIN_INTERVAL_SECONDS}`);
  if (interval > MAX_INTERVAL_SECONDS) return problem(`must have interval_seconds of at most ${MAX_INTERVAL_SECONDS}`);
  return { ok: true, value: { interval_seconds: interval, cron: null } };
}

function readCronTimer(cron: unknown, timezone: unknown): TimerReading {
  if (typeof cron !== 'string') return problem('must have a text as cron');
  const reading = readCron(cron);
  if (!reading.ok) return problem(`has a cron that ${reading.problem}`);
  if (timezone === undefined) return { ok: true, value: { interval_seconds: null, cron } };
  const zone = typeof timezone === 'string' ? zoneName(timezone) : undefined;
  return zone === undefined
    ? problem('must have the name of a time zone, such as Europe/Berlin, as timezone')
    : { ok: true, value: { interval_seconds: null, cron, timezone: zone } };
}

/** The name as EventBridge Scheduler takes it, which distinguishes upper and lower case; `Intl` does not. */
function zoneName(name: string): string | undefined {
  if (!/^[A-Za-z]/.test(name)) return undefined;
  try {
    const known = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
    return known.toLowerCase() === name.toLowerCase() ? known : name;
  } catch {
    return undefined;
  }
}

const problem = (text: string): TimerReading => ({ ok: false, problem: text });
