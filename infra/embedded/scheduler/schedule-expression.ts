import { Cron } from 'croner';
import { validationException } from '../common-errors.ts';
import { timeZone, type TimeZone } from '../../../shared/lib/schedule/time-zone.ts';

/**
 * Schedule expressions: https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html
 * All times are epoch milliseconds on whole seconds.
 */
export interface ScheduleExpression {
  readonly kind: 'at' | 'rate' | 'cron';
  /** The first occurrence of a schedule that is created at `createdAt` and may start at `startAt`. */
  first(createdAt: number, startAt: number | undefined): number | undefined;
  /** The first occurrence after an instant, for a schedule whose first occurrence was at `origin`. */
  next(after: number, origin: number): number | undefined;
}

export function parseScheduleExpression(text: string, zoneName: string): ScheduleExpression {
  const zone = timeZone(zoneName);
  if (!zone) throw validationException(`Invalid Schedule Expression Timezone ${zoneName}.`);
  const [, kind, content = ''] = /^(at|rate|cron)\((.*)\)$/s.exec(text) ?? [];
  const expression =
    kind === 'at'
      ? at(content, zone)
      : kind === 'rate'
        ? rate(content)
        : kind === 'cron'
          ? cron(content, zone)
          : undefined;
  if (!expression) throw validationException(`Invalid Schedule Expression ${text}.`);
  return expression;
}

function at(content: string, zone: TimeZone): ScheduleExpression | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(content)) return undefined;
  const wall = Date.parse(`${content}Z`);
  if (Number.isNaN(wall) || new Date(wall).toISOString().slice(0, 19) !== content) return undefined;
  // A local time that the clock change skips counts in the old offset.
  const due = zone.instantOf(wall) ?? wall - (zone.wallAt(wall - DAY_MS) - (wall - DAY_MS));
  return { kind: 'at', first: () => due, next: () => undefined };
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const UNITS_MS: Readonly<Record<string, number>> = { minute: MINUTE_MS, hour: 60 * MINUTE_MS, day: DAY_MS };

/** A day is 24 hours, also across clock changes. */
function rate(content: string): ScheduleExpression | undefined {
  const [, value, unit = ''] = /^([1-9]\d{0,8}) (minute|hour|day)s?$/.exec(content) ?? [];
  const every = Number(value) * (UNITS_MS[unit] ?? Number.NaN);
  if (Number.isNaN(every)) return undefined;
  return {
    kind: 'rate',
    first: (createdAt, startAt) => startAt ?? createdAt,
    next: (after, origin) => (after < origin ? origin : origin + (Math.floor((after - origin) / every) + 1) * every),
  };
}

const MONTHS = 'JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC';
const DAYS = 'SUN|MON|TUE|WED|THU|FRI|SAT';

/** A comma-separated field whose elements are values, ranges and, where allowed, steps. */
const field = (value: string, { steps = true, also = '' } = {}): RegExp => {
  const step = steps ? '(/\\d+)?' : '';
  const element = `((\\*|${value}(-${value})?)${step}${also && `|${also}`})`;
  return new RegExp(`^${element}(,${element})*$`, 'i');
};
/** Minutes, hours, day of month, month, day of week, year, each with the wildcards that AWS lists for it. */
const fields: readonly RegExp[] = [
  field('\\d{1,2}'),
  field('\\d{1,2}'),
  field('\\d{1,2}', { also: 'L|LW|\\d{1,2}W' }),
  field(`(\\d{1,2}|${MONTHS})`),
  field(`([1-7]|${DAYS})`, { steps: false, also: `L|([1-7]|${DAYS})L|([1-7]|${DAYS})#[1-5]` }),
  field('(19[7-9]\\d|2[01]\\d\\d)'),
];
const MAX_SKIPPED_TIMES = 100;

function cron(content: string, zone: TimeZone): ScheduleExpression | undefined {
  const parts = content.split(/ +/);
  const [minute = '', hour = '', dayOfMonth = '', month = '', dayOfWeek = '', year = ''] = parts;
  // Exactly one of day of month and day of week must be `?`.
  if (parts.length !== fields.length || (dayOfMonth === '?') === (dayOfWeek === '?')) return undefined;
  if (!parts.every((part, index) => (part === '?' ? index === 2 || index === 4 : fields[index]?.test(part))))
    return undefined;
  if (dayOfWeek.includes('#') && dayOfWeek.includes(',')) return undefined;
  const any = (part: string) => (part === '?' ? '*' : part);
  const weekdays = any(dayOfWeek)
    .split(',')
    .map((part) => (/^L$/i.test(part) ? '7' : part))
    .join(',');
  let pattern: Cron;
  try {
    pattern = new Cron(['0', minute, hour, any(dayOfMonth), month, weekdays, year].join(' '), {
      mode: '7-part',
      timezone: 'UTC',
      alternativeWeekdays: true,
      sloppyRanges: true,
      paused: true,
    });
  } catch {
    return undefined;
  }
  // Evaluated in local time: a skipped local time is no occurrence, a repeated one occurs once.
  const next = (after: number): number | undefined => {
    let wall = zone.wallAt(after);
    for (let skipped = 0; skipped < MAX_SKIPPED_TIMES; skipped += 1) {
      const reading = pattern.nextRun(new Date(wall));
      if (!reading) return undefined;
      wall = reading.getTime();
      const instant = zone.instantOf(wall);
      if (instant !== undefined && instant > after) return instant;
    }
    return undefined;
  };
  return {
    kind: 'cron',
    first: (createdAt, startAt = createdAt) => next(Math.max(createdAt, startAt - 1)),
    next,
  };
}
