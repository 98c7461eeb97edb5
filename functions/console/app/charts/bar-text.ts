import { DAY_MS } from '../../../../shared/lib/durations.ts';
import { timeFormat } from '../locale.ts';
import type { Bar, BarUnit } from './chart-range.ts';

const HOUR = { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const;
const TIME = timeFormat({ hour: 'numeric', minute: '2-digit' });
const DATE_AND_HOUR = timeFormat(HOUR);
const ZONED_HOUR = timeFormat({ ...HOUR, timeZoneName: 'short' });
const DAY = timeFormat({ weekday: 'short', month: 'short', day: 'numeric' });
const UTC_DAY = timeFormat({ dateStyle: 'medium', timeZone: 'UTC' });
const SHORT_DAY = timeFormat({ month: 'short', day: 'numeric' });
const MONTH = timeFormat({ month: 'short' });
const YEAR = timeFormat({ year: 'numeric' });

/** `per hour`. */
export const perUnit = (unit: BarUnit): string => `per ${unit === 'utcDay' ? 'day' : unit}`;

const offsetAt = (ms: number): number => new Date(ms).getTimezoneOffset();

/** Whether the clocks change within some bars. An hour may be there twice then. */
export function clocksChange(bars: readonly Bar[]): boolean {
  const [first, last] = [bars[0], bars.at(-1)];
  return first !== undefined && last !== undefined && offsetAt(first.fromMs) !== offsetAt(last.fromMs);
}

/** The name of a bar: `Nov 27, 2:00 PM`. Hours name their zone where the clocks change. */
export function barText(unit: BarUnit, { fromMs }: Bar, isZoned: boolean): string {
  switch (unit) {
    case 'minute':
      return TIME.format(fromMs);
    case 'hour':
      return (isZoned ? ZONED_HOUR : DATE_AND_HOUR).format(fromMs);
    case 'day':
      return DAY.format(fromMs);
    case 'utcDay':
      return `${UTC_DAY.format(fromMs)} (UTC)`;
    case 'week':
      return `Week of ${UTC_DAY.format(fromMs)} (UTC)`;
  }
}

/** A label of a time line of some length. January has the year. */
export function axisText(lengthMs: number, ms: number): string {
  if (lengthMs < 3 * DAY_MS) return TIME.format(ms);
  if (lengthMs < 60 * DAY_MS) return SHORT_DAY.format(ms);
  return (new Date(ms).getMonth() === 0 ? YEAR : MONTH).format(ms);
}
