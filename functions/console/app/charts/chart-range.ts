import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../shared/lib/durations.ts';

const WEEK_MS = 7 * DAY_MS;

/**
 * The length of a bar. Days are those of the browser's zone. Weeks and `utcDay` begin in UTC: the service counts by day
 * no other way.
 */
export type BarUnit = 'minute' | 'hour' | 'day' | 'utcDay' | 'week';

/** A part of the time of a chart. */
export interface Bar {
  fromMs: number;
  untilMs: number;
}

/** The length of the service's buckets. */
export type Granularity = 'minute' | 'hour' | 'day';

export interface ChartRange {
  /** Stands in the address. */
  value: string;
  text: string;
  /** The length of the bars. */
  unit: BarUnit;
  /** The buckets of the service whose counts are added into bars. */
  granularity: Granularity;
  /** The buckets of latencies: quantiles cannot be added. */
  latencies: Granularity;
  bars: number;
  /** Time between two reads. The service writes its counts every 30 s. */
  pollMs: number;
}

const DAY_RANGE: ChartRange = {
  value: '24h',
  text: '24 h',
  unit: 'hour',
  granularity: 'hour',
  latencies: 'hour',
  bars: 24,
  pollMs: MINUTE_MS,
};

const HOUR_RANGE: ChartRange = {
  value: '1h',
  text: '1 h',
  unit: 'minute',
  granularity: 'minute',
  latencies: 'minute',
  bars: 60,
  pollMs: MINUTE_MS / 2,
};

export const RANGES: readonly ChartRange[] = [
  HOUR_RANGE,
  DAY_RANGE,
  {
    value: '30d',
    text: '30 days',
    unit: 'day',
    granularity: 'hour',
    latencies: 'day',
    bars: 30,
    pollMs: 10 * MINUTE_MS,
  },
  {
    value: '13m',
    text: '13 months',
    unit: 'week',
    granularity: 'day',
    latencies: 'day',
    bars: 56,
    pollMs: 10 * MINUTE_MS,
  },
];

/** The range of a text of the address; for any other text the last 24 hours, or the only hour of something new. */
export const rangeNamed = (value: string, ageMs: number): ChartRange =>
  RANGES.find((range) => range.value === value) ?? (ageMs < HOUR_MS ? HOUR_RANGE : DAY_RANGE);

const LENGTHS: Readonly<Record<Exclude<BarUnit, 'day'>, number>> = {
  minute: MINUTE_MS,
  hour: HOUR_MS,
  utcDay: DAY_MS,
  week: WEEK_MS,
};
/** The epoch begins on a Thursday, weeks on a Monday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

/**
 * Midnight of a day of the browser's zone, some days after the day of a time. Such a day has 23 or 25 hours when the
 * clocks change.
 */
function localDay(ms: number, days: number): number {
  const date = new Date(ms);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime();
}

/** The start of the bar that is `count` bars after the one of a time. */
function startOfBar(unit: BarUnit, ms: number, count: number): number {
  if (unit === 'day') return localDay(ms, count);
  const length = LENGTHS[unit];
  const first = unit === 'week' ? FIRST_MONDAY_MS : 0;
  return Math.floor((ms - first) / length) * length + first + count * length;
}

/** The bars of a range up to now, oldest first. */
export const barsOf = ({ unit, bars }: Pick<ChartRange, 'unit' | 'bars'>, now: number): readonly Bar[] =>
  Array.from({ length: bars }, (_, n) => ({
    fromMs: startOfBar(unit, now, n - bars + 1),
    untilMs: startOfBar(unit, now, n - bars + 2),
  }));

/** The unit of the service's buckets: its days begin in UTC. */
export const unitOf = (granularity: Granularity): BarUnit => (granularity === 'day' ? 'utcDay' : granularity);

/** The bar of one bucket of the service. */
export const barOfBucket = (unit: BarUnit, fromMs: number): Bar => ({
  fromMs,
  untilMs: startOfBar(unit, fromMs, 1),
});
