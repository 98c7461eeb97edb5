import { readCron, shiftedMinutes } from '../../lib/schedule/cron.ts';
import { occurrencesAfter } from '../../lib/schedule/cron-occurrences.ts';
import { timeZone, UTC } from '../../lib/schedule/time-zone.ts';
import type { SourceTraits } from './source-traits.ts';
import { minutesAheadOfUtc } from './timer-schedule.ts';

type Timer = NonNullable<SourceTraits['timer']>;

interface NextTicks {
  /** Activation of the timer; undefined before it, when the ticks of an interval are not known. */
  anchor: number | undefined;
  after: number;
  count: number;
}

/** The next ticks after a time, epoch ms; none for a cron or a time zone that cannot be read. */
export function nextTicks(timer: Timer, { anchor, after, count }: NextTicks): number[] {
  if ('cron' in timer) return cronTicks(timer.cron, timer.timezone ?? 'UTC', after, count);
  if (anchor === undefined) return [];
  const { intervalSeconds } = timer;
  const first = nextDue({ anchor, intervalSeconds }, after);
  return Array.from({ length: count }, (_, n) => first + n * intervalSeconds * 1_000);
}

/**
 * The first tick after `now`, in epoch ms. The anchor gives its phase, so a schedule that is created again keeps the
 * seconds of its source.
 */
export function nextDue({ anchor, intervalSeconds }: { anchor: number; intervalSeconds: number }, now: number): number {
  const interval = intervalSeconds * 1_000;
  return anchor + Math.max(Math.floor((now - anchor) / interval) + 1, 1) * interval;
}

function cronTicks(cron: string, timezone: string, after: number, count: number): number[] {
  const reading = readCron(cron);
  const zone = timeZone(timezone);
  if (!reading.ok || zone === undefined) return [];
  const { fields, everyHour } = reading;
  if (everyHour === undefined) return occurrencesAfter(fields, zone, after, count);
  // It is scheduled in UTC, where it runs through the changes of the clock.
  const minutes = shiftedMinutes(everyHour, -minutesAheadOfUtc(timezone, after));
  return occurrencesAfter({ ...fields, minutes }, UTC, after, count);
}
