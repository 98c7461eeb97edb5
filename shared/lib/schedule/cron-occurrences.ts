import type { CronFields } from './cron.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../durations.ts';
import type { TimeZone } from './time-zone.ts';

/** From one 29 February to the next there are up to eight years. */
const LONGEST_DAYS = 8 * 366;

/**
 * The first occurrences of a cron expression after an instant, epoch ms. As in EventBridge Scheduler, a local time that
 * a clock change skips is no occurrence, and a repeated one occurs once.
 * https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html
 */
export function occurrencesAfter(fields: CronFields, zone: TimeZone, after: number, count: number): number[] {
  const found: number[] = [];
  const wallAfter = zone.wallAt(after);
  const today = Math.floor(wallAfter / DAY_MS);
  for (let day = today; day <= today + count * LONGEST_DAYS; day += 1) {
    const date = new Date(day * DAY_MS);
    if (!fields.months.includes(date.getUTCMonth() + 1)) {
      // A month without an occurrence is left at once: there may be years of them.
      day = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / DAY_MS - 1;
      continue;
    }
    for (const wall of hasDay(fields, date) ? wallsOf(fields, day) : []) {
      if (found.length === count) return found;
      const instant = wall > wallAfter ? zone.instantOf(wall) : undefined;
      if (instant !== undefined && instant > after) found.push(instant);
    }
  }
  return found;
}

const hasDay = ({ days, weekdays }: CronFields, date: Date): boolean =>
  days.includes(date.getUTCDate()) && weekdays.includes(date.getUTCDay());

const wallsOf = ({ hours, minutes }: CronFields, day: number): number[] =>
  hours.flatMap((hour) => minutes.map((minute) => day * DAY_MS + hour * HOUR_MS + minute * MINUTE_MS));
