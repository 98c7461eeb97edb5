import * as z from 'zod';
import { readCron } from './cron.ts';

/** As the interface shows a timer's value; a time zone only when one was chosen. */
export const TimerValue = z.object({
  interval_seconds: z.number().int().nullable(),
  cron: z.string().nullable(),
  timezone: z.string().optional(),
});
export type TimerValue = z.infer<typeof TimerValue>;

const LEAST_INTERVAL_SECONDS = 15;
/** Ten years: beyond that a schedule is a typing error. */
const MOST_INTERVAL_SECONDS = 315_360_000;
const HOURLY: TimerValue = { interval_seconds: 3_600, cron: null };

export type TimerReading = { ok: true; value: TimerValue } | { ok: false; problem: string };

const given = z.object({
  interval_seconds: z.unknown(),
  intervalSeconds: z.unknown(),
  cron: z.unknown(),
  timezone: z.unknown(),
});

/**
 * Reads a timer as a caller or a component spells it. Null counts as absent, so that what is shown can be sent back; a value
 * without a time is the fallback's, the prop's default, and without one hourly (decisions, "Sources").
 */
export function readTimer(value: unknown, fallback?: unknown): TimerReading {
  if (value === undefined || value === null) return orElse(fallback);
  const parsed = given.partial().safeParse(value);
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
  if (interval < LEAST_INTERVAL_SECONDS)
    return problem(`must have interval_seconds of at least ${LEAST_INTERVAL_SECONDS}`);
  if (interval > MOST_INTERVAL_SECONDS)
    return problem(`must have interval_seconds of at most ${MOST_INTERVAL_SECONDS}`);
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
