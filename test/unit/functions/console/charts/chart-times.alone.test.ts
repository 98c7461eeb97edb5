import { afterEach, describe, expect, test, vi } from 'vitest';
import { axisText, barText, clocksChange } from '../../../../../functions/console/app/charts/bar-text.ts';
import {
  barOfBucket,
  barsOf,
  type ChartRange,
  rangeNamed,
  unitOf,
  RANGES,
} from '../../../../../functions/console/app/charts/chart-range.ts';

/** The zone of the browser, before any format is made. */
const zone = vi.hoisted(() => {
  const newYork = 'America/New_York';
  process.env['TZ'] = newYork;
  vi.stubGlobal('navigator', { language: 'en-US', languages: ['en-US'] });
  return newYork;
});
afterEach(() => {
  process.env['TZ'] = zone;
});

const HOUR = 3_600_000;
const at = (text: string) => Date.parse(text);
const bars = (unit: ChartRange['unit'], count: number, now: string) => barsOf({ unit, bars: count }, at(now));
const hoursOf = (unit: ChartRange['unit'], count: number, now: string) =>
  bars(unit, count, now).map(({ fromMs, untilMs }) => (untilMs - fromMs) / HOUR);

describe('the bars of a chart', () => {
  test.each(RANGES.map((range) => [range.value, range] as const))(
    'of %s follow one another, and the last one has now',
    (_, range) => {
      const now = at('2026-11-02T17:31:08Z');
      const all = barsOf(range, now);
      expect(all).toHaveLength(range.bars);
      expect(all.slice(1).map(({ fromMs }) => fromMs)).toEqual(all.slice(0, -1).map(({ untilMs }) => untilMs));
      expect(all.at(-1)?.fromMs).toBeLessThanOrEqual(now);
      expect(all.at(-1)?.untilMs).toBeGreaterThan(now);
    },
  );

  test('need buckets that the service still has', () => {
    // A bucket is kept for some time after its end.
    const keptMs = { minute: 24 * HOUR, hour: 31 * 24 * HOUR - 23 * HOUR, day: 398 * 24 * HOUR };
    // The last second of the 30th day, one of which had 25 hours.
    const now = at('2026-11-02T04:59:59Z');
    for (const range of RANGES)
      expect(barsOf(range, now)[0]?.fromMs, range.value).toBeGreaterThan(now - keptMs[range.granularity]);
  });

  test('of days are those of the zone, which have 25 or 23 hours when the clocks change', () => {
    expect(hoursOf('day', 3, '2026-11-02T12:00:00Z')).toEqual([24, 25, 24]);
    expect(hoursOf('day', 3, '2026-03-09T12:00:00Z')).toEqual([24, 23, 24]);
    expect(bars('day', 1, '2026-11-27T03:00:00Z')[0]?.fromMs).toBe(at('2026-11-26T05:00:00Z'));
    process.env['TZ'] = 'Asia/Kolkata';
    expect(bars('day', 1, '2026-11-27T03:00:00Z')[0]?.fromMs).toBe(at('2026-11-26T18:30:00Z'));
  });

  test('of weeks begin on Monday in UTC', () => {
    const [week] = bars('week', 1, '2026-11-30T00:00:00Z');
    expect(week).toEqual({ fromMs: at('2026-11-30T00:00:00Z'), untilMs: at('2026-12-07T00:00:00Z') });
    expect(bars('week', 1, '2026-11-29T23:59:59Z')[0]?.fromMs).toBe(at('2026-11-23T00:00:00Z'));
  });

  test('of buckets are as long as these', () => {
    const fromMs = at('2026-11-01T00:00:00Z');
    expect(barOfBucket(unitOf('day'), fromMs).untilMs - fromMs).toBe(24 * HOUR);
    expect(barOfBucket(unitOf('minute'), fromMs).untilMs - fromMs).toBe(60_000);
  });
});

test('an unknown range of the address is the last 24 hours, and the only hour of something new', () => {
  expect([rangeNamed('', HOUR - 1).value, rangeNamed('', HOUR).value, rangeNamed('30d', 0).value]).toEqual([
    '1h',
    '24h',
    '30d',
  ]);
  expect([rangeNamed('30d', 0).granularity, rangeNamed('constructor', Infinity).value]).toEqual(['hour', '24h']);
});

describe('labels', () => {
  const textOf = (unit: ChartRange['unit'], from: string, isZoned = false) =>
    barText(unit, barOfBucket(unit, at(from)), isZoned);

  test('are in the zone of the browser', () => {
    expect(textOf('minute', '2026-11-27T03:05:00Z')).toMatch(/10:05/);
    expect(textOf('hour', '2026-11-27T03:00:00Z')).toMatch(/Nov 26.*10:00/);
    expect(textOf('day', '2026-11-26T05:00:00Z')).toMatch(/Thu.*Nov 26/);
    expect(axisText(24 * HOUR, at('2026-11-27T03:00:00Z'))).toMatch(/10:00/);
    expect(axisText(30 * 24 * HOUR, at('2026-11-27T03:00:00Z'))).toMatch(/Nov 26/);
  });

  test('say so when they are in UTC', () => {
    expect(textOf('week', '2026-11-23T00:00:00Z')).toMatch(/Nov 23, 2026 \(UTC\)/);
    expect(textOf('utcDay', '2026-11-27T00:00:00Z')).toMatch(/Nov 27, 2026 \(UTC\)/);
  });

  test('tell the two hours of the same name apart when the clocks change', () => {
    const hours = bars('hour', 24, '2026-11-01T12:00:00Z');
    expect(clocksChange(hours)).toBe(true);
    const texts = hours.map((bar) => barText('hour', bar, true));
    expect(new Set(texts).size).toBe(24);
    expect(texts.filter((text) => /Nov 1, 0?1:00/.test(text))).toEqual([
      expect.stringContaining('EDT') as string,
      expect.stringContaining('EST') as string,
    ]);
    expect(clocksChange(bars('hour', 24, '2026-11-27T12:00:00Z'))).toBe(false);
  });

  test('of months have the year in January', () => {
    expect(axisText(392 * 24 * HOUR, at('2026-01-15T00:00:00Z'))).toBe('2026');
    expect(axisText(392 * 24 * HOUR, at('2026-02-15T00:00:00Z'))).toBe('Feb');
  });
});
