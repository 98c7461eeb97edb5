import { describe, expect, onTestFinished, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../../shared/lib/durations.ts';
import { TimersWorld } from '../../../../support/world/timers.ts';

const SECOND_MS = 1_000;
const WEEK_MS = 7 * DAY_MS;

async function worldAt(startAt: number): Promise<TimersWorld> {
  const world = new TimersWorld(startAt);
  await world.open();
  onTestFinished(() => world.stop());
  return world;
}

/** Neither on a whole minute nor on a whole second; the clocks of Berlin change on the second day. */
const START = Date.UTC(2031, 2, 29, 11, 10, 7, 345);
const INTERVALS = [15, 45, 60, 90, 420, 3_600];

test('a week of intervals: each tick comes within a second of its time, none is missing and none comes twice', async () => {
  const world = await worldAt(START);
  for (const seconds of INTERVALS) await world.start(String(seconds), { intervalSeconds: seconds });
  await world.advance(WEEK_MS + SECOND_MS);
  for (const seconds of INTERVALS) {
    const ticks = world.ticksOf(String(seconds));
    expect([seconds, ticks.length]).toEqual([seconds, Math.floor((7 * 86_400) / seconds)]);
    const early = ticks.map((at, index) => START + (index + 1) * seconds * SECOND_MS - at);
    expect([seconds, Math.max(...early.map(Math.abs)) < SECOND_MS]).toEqual([seconds, true]);
  }
  const lateness = world.ticks.map(({ at, scheduledAt }) => at - scheduledAt);
  expect(lateness.every((ms) => ms >= 0 && ms < SECOND_MS)).toBe(true);
});

/** The local time of an instant. */
interface Local {
  readonly month: number;
  readonly day: number;
  readonly weekday: string;
  readonly hour: number;
  readonly minute: number;
}

const QUARTER_MS = 15 * MINUTE_MS;

/**
 * Local times, minute by minute. All zones are whole quarters of an hour away from UTC, so that few times are
 * formatted.
 */
function* localTimes(timeZone: string, from: number, to: number): Generator<readonly [at: number, Local]> {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    month: 'numeric',
    day: 'numeric',
    weekday: 'short',
    hour: 'numeric',
    minute: 'numeric',
  });
  for (let quarter = Math.floor(from / QUARTER_MS) * QUARTER_MS; quarter <= to; quarter += QUARTER_MS) {
    const parts = new Map(format.formatToParts(quarter).map(({ type, value }) => [type, value]));
    const numberOf = (name: Intl.DateTimeFormatPartTypes) => Number(parts.get(name));
    const [month, day, hour] = [numberOf('month'), numberOf('day'), numberOf('hour')];
    const weekday = parts.get('weekday') ?? '';
    for (let n = 0; n < 15; n += 1) {
      const at = quarter + n * MINUTE_MS;
      if (at >= from && at <= to) yield [at, { month, day, weekday, hour, minute: numberOf('minute') + n }];
    }
  }
}

/**
 * The times of a cron, found minute by minute: the first of two equal local times counts, unless the cron holds in
 * every hour.
 */
function expectedTimes(
  { zone, matches, isEveryHour = false }: Pick<Cron, 'zone' | 'matches' | 'isEveryHour'>,
  { from, to }: { from: number; to: number },
): number[] {
  const seen = new Set<string>();
  const found: number[] = [];
  for (const [at, local] of localTimes(zone, from, to)) {
    if (!matches(local)) continue;
    const reading = JSON.stringify(local);
    if (isEveryHour || !seen.has(reading)) found.push(at);
    seen.add(reading);
  }
  return found;
}

interface Cron {
  readonly cron: string;
  readonly zone: string;
  readonly isEveryHour?: boolean;
  readonly matches: (local: Local) => boolean;
}

const isWorkday = ({ weekday }: Local) => weekday !== 'Sat' && weekday !== 'Sun';
const CRONS: readonly Cron[] = [
  { cron: '30 2 * * *', zone: 'Europe/Berlin', matches: ({ hour, minute }) => hour === 2 && minute === 30 },
  {
    cron: '0 9 * * 1-5',
    zone: 'America/New_York',
    matches: (at) => isWorkday(at) && at.hour === 9 && at.minute === 0,
  },
  { cron: '15 * * * *', zone: 'Asia/Kolkata', isEveryHour: true, matches: ({ minute }) => minute === 15 },
  {
    cron: '*/20 * * * *',
    zone: 'Europe/Berlin',
    isEveryHour: true,
    matches: ({ minute }) => minute % 20 === 0,
  },
  {
    cron: '0 */6 * * *',
    zone: 'Australia/Lord_Howe',
    matches: ({ hour, minute }) => hour % 6 === 0 && minute === 0,
  },
  {
    cron: '45 1 * * *',
    zone: 'America/New_York',
    matches: ({ hour, minute }) => hour === 1 && minute === 45,
  },
  {
    cron: '0 0 29 2 *',
    zone: 'UTC',
    matches: (at) => at.month === 2 && at.day === 29 && at.hour === 0 && at.minute === 0,
  },
  {
    cron: '59 23 28-31 * *',
    zone: 'Asia/Tokyo',
    matches: (at) => at.day >= 28 && at.hour === 23 && at.minute === 59,
  },
];

/** The ticks of each cron in one of the weeks, so that an error in the expectation itself would show. */
const WEEKS = [
  { week: 'in which the clocks of Berlin go forward', from: START, counts: [6, 5, 168, 504, 28, 7, 0, 3] },
  {
    week: 'in which the clocks of Berlin go back',
    from: Date.UTC(2031, 9, 22, 6, 0, 30),
    counts: [7, 5, 168, 504, 28, 7, 0, 1],
  },
  {
    week: 'in which the clocks of New York go back',
    from: Date.UTC(2031, 9, 29, 6, 0, 30),
    counts: [7, 5, 168, 504, 28, 6, 0, 3],
  },
  { week: 'of the leap day', from: Date.UTC(2032, 1, 25, 6, 0, 30), counts: [7, 5, 168, 504, 28, 7, 1, 2] },
];

describe.each(WEEKS)('a week $week', ({ from, counts }) => {
  test('of crons in their zones has every tick at its minute, once', async () => {
    const world = await worldAt(from);
    for (const [index, { cron, zone }] of CRONS.entries())
      await world.start(String(index + 1), { cron, timezone: zone });
    await world.advance(WEEK_MS);
    for (const [index, cron] of CRONS.entries()) {
      const ticks = world.ticksOf(String(index + 1));
      expect(ticks.map((at) => new Date(at).toISOString())).toEqual(
        expectedTimes(cron, { from, to: from + WEEK_MS }).map((at) => new Date(at).toISOString()),
      );
    }
    expect(CRONS.map((_, index) => world.ticksOf(String(index + 1)).length)).toEqual(counts);
  });
});

/** The sources of a bulk deployment, which are activated one after the other. */
const POLLERS = 2_000;
const ACTIVATIONS_PER_SECOND = 10;
const EVERY_MINUTE = { intervalSeconds: 60 };

/** The most ticks in one second of the last minute. */
function busiestSecond({ clock, ticks }: TimersWorld): number {
  const counts = new Map<number, number>();
  for (const { at } of ticks) {
    if (at <= clock.now() - MINUTE_MS) continue;
    const second = Math.floor(at / SECOND_MS);
    counts.set(second, (counts.get(second) ?? 0) + 1);
  }
  return Math.max(...counts.values());
}

const secondOfMinute = (world: TimersWorld) => {
  const last = new Map(world.ticks.map(({ name, at }) => [name, Math.floor(at / SECOND_MS) % 60]));
  return [...last].sort(([a], [b]) => a.localeCompare(b));
};

test('many pollers keep the seconds in which they were activated, after an outage and when all are scheduled again', async () => {
  const world = await worldAt(START);
  const anchors: number[] = [];
  for (let n = 0; n < POLLERS; n += 1) {
    anchors.push(world.clock.now());
    await world.start(String(n + 1), EVERY_MINUTE);
    await world.advance(SECOND_MS / ACTIVATIONS_PER_SECOND);
  }
  await world.advance(2 * MINUTE_MS);
  const fair = POLLERS / 60;
  expect(busiestSecond(world)).toBeLessThan(1.5 * fair);
  const seconds = secondOfMinute(world);

  await world.stop();
  world.clock.advance(HOUR_MS + 7 * SECOND_MS);
  await world.open();
  await world.advance(2 * MINUTE_MS);
  expect(secondOfMinute(world)).toEqual(seconds);

  for (const [n, anchor] of anchors.entries()) await world.start(String(n + 1), EVERY_MINUTE, anchor);
  await world.advance(2 * MINUTE_MS);
  expect(secondOfMinute(world)).toEqual(seconds);
  expect(busiestSecond(world)).toBeLessThan(1.5 * fair);
});

test.each([15, 45, 90])('%i s timers that are scheduled again tick at the same seconds as before', async (seconds) => {
  const world = await worldAt(START);
  await world.start('1', { intervalSeconds: seconds });
  await world.advance(10 * MINUTE_MS + 20 * SECOND_MS);
  const again = await worldAt(world.clock.now());
  await again.start('1', { intervalSeconds: seconds }, START);
  await again.advance(10 * MINUTE_MS);
  const ticks = again.ticksOf('1');
  const first = START + Math.ceil((10 * 60 + 20) / seconds) * seconds * SECOND_MS;
  const late = ticks.map((at, n) => at - (first + n * seconds * SECOND_MS));
  expect(late.every((ms) => ms >= 0 && ms < SECOND_MS)).toBe(true);
  expect(ticks.length).toBeGreaterThanOrEqual(Math.floor(600 / seconds));
});
