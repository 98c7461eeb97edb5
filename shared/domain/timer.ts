import * as z from 'zod';
import { readCron } from './cron.ts';

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

const TimerInput = z.object({
  interval_seconds: z.unknown(),
  intervalSeconds: z.unknown(),
  cron: z.unknown(),
  timezone: z.unknown(),
});

/**
 * Reads a timer of a caller or a component. Null counts as absent, so that a response can be sent back. A value without interval and cron
 * takes the fallback, which is the prop's default, or else one hour.
 */
export function readTimer(value: unknown, fallback?: unknown): TimerReading {
  if (value === undefined || value === null) return orElse(fallback);
  const parsed = TimerInput.partial().safeParse(value);
  if (!parsed.success || Array.isArray(value)) {
    return problem('must be an object with interval_seconds or cron');
  }
  const interval = parsed.data.interval_seconds ?? parsed.data.intervalSeconds ?? undefined;
  const cron = parsed.data.cron ?? undefined;
  if (interval !== undefined && cron !== undefined)
    return problem('must have interval_seconds or cron, not both');
  if (cron !== undefined) return readCronTimer(cron, parsed.data.timezone ?? undefined);
  return interval === undefined ? orElse(fallback) : readInterval(interval);
}

const orElse = (fallback: unknown): TimerReading =>
  fallback === undefined || fallback === null ? { ok: true, value: HOURLY } : readTimer(fallback);

function readInterval(interval: unknown): TimerReading {
  if (typeof interval !== 'number' || !Number.isInteger(interval)) {
    return problem('must have an integer as interval_seconds');
  }
  if (interval < MIN_INTERVAL_SECONDS)
    return problem(`must have interval_seconds of at least ${MIN_INTERVAL_SECONDS}`);
  if (interval > MAX_INTERVAL_SECONDS)
    return problem(`must have interval_seconds of at most ${MAX_INTERVAL_SECONDS}`);
  return { ok: true, value: { interval_seconds: interval, cron: null } };
}

function readCronTimer(cron: unknown, timezone: unknown): TimerReading {
  if (typeof cron !== 'string') return problem('must have a text as cron');
  const reading = readCron(cron);
  if (!reading.ok) return problem(`has a cron that ${reading.problem}`);
  if (timezone === undefined) return { ok: true, value: { interval_seconds: null, cron } };
  if (typeof timezone !== 'string' || !isTimezone(timezone)) {
    return problem('must have the name of a time zone, such as Europe/Berlin, as timezone');
  }
  return { ok: true, value: { interval_seconds: null, cron, timezone } };
}

function isTimezone(name: string): boolean {
  try {
    return (
      new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '' &&
      /^[A-Za-z]/.test(name)
    );
  } catch {
    return false;
  }
}

const problem = (text: string): TimerReading => ({ ok: false, problem: text });
