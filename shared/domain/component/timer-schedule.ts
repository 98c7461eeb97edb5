import { everyHourExpression, readCron, shiftedMinutes } from '../../lib/schedule/cron.ts';
import { timeZone, UTC } from '../../lib/schedule/time-zone.ts';

/** A schedule expression of EventBridge Scheduler, with the time zone in which it holds; UTC without one. */
export interface TimerSchedule {
  expression: string;
  timezone?: string;
}

const MINUTE_MS = 60_000;
const MONTH_MS = 30 * 24 * 60 * MINUTE_MS;

/**
 * The schedule of a cron timer. A cron that holds in every hour is scheduled in UTC, because it runs through the
 * changes of the clock: the scheduler skips the local times of the hour that is repeated in autumn. Any other cron is
 * scheduled in its time zone. In a zone that changes its clock by half an hour (Australia/Lord_Howe) the minutes in UTC
 * may differ between summer and winter; such a cron is scheduled in its zone, too.
 */
export function cronSchedule(cron: string, timezone: string | undefined, now: number): TimerSchedule {
  const reading = readCron(cron);
  if (!reading.ok) throw new Error(`The cron expression of a stored source ${reading.problem}`);
  if (timezone === undefined) return { expression: reading.expression };
  const { everyHour, expression } = reading;
  if (everyHour === undefined) return { expression, timezone };
  const inUtc = new Set(
    Array.from({ length: 13 }, (_, month) =>
      everyHourExpression(shiftedMinutes(everyHour, -minutesAheadOfUtc(timezone, now + month * MONTH_MS))),
    ),
  );
  const [only = expression] = inUtc;
  return inUtc.size === 1 ? { expression: only } : { expression, timezone };
}

/** Minutes of the hour by which the zone's clock is ahead of UTC: 30 for Asia/Kolkata, 0 for whole hours. */
export function minutesAheadOfUtc(timezone: string, at: number): number {
  const offset = (timeZone(timezone) ?? UTC).wallAt(at) - at;
  return (((offset / MINUTE_MS) % 60) + 60) % 60;
}
