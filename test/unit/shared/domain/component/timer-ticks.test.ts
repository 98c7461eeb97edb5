import { expect, test } from 'vitest';
import { parseScheduleExpression } from '../../../../../infra/embedded/scheduler/schedule-expression.ts';
import { cronSchedule } from '../../../../../shared/domain/component/timer-schedule.ts';
import { nextTicks } from '../../../../../shared/domain/component/timer-ticks.ts';

const CRONS = [
  '*/15 * * * *',
  '5 * * * *',
  '30 2 * * *',
  '30 1 * * *',
  '0 6 * * 1-5',
  '15 8,20 1 * *',
  '0 0 29 2 *',
  '59 23 31 12 *',
];
const ZONES = [undefined, 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'];
/** Days on which clocks change, also in the hour that is repeated, and one on which none does. */
const STARTS = [
  '2026-03-07T12:00Z',
  '2026-03-28T23:50Z',
  '2026-10-24T23:10Z',
  '2026-11-01T05:45Z',
  '2026-11-01T06:10Z',
  '2026-10-25T01:10Z',
  '2026-07-01T00:00Z',
];

test.each(CRONS.flatMap((cron) => ZONES.map((zone) => [cron, zone] as const)))(
  'the next ticks of %s in %s are those of the scheduler',
  (cron, timezone) => {
    for (const start of STARTS) {
      const after = Date.parse(start);
      const { expression, timezone: zone = 'UTC' } = cronSchedule(cron, timezone, after);
      const schedule = parseScheduleExpression(expression, zone);
      const expected: number[] = [];
      for (let at: number | undefined = after; expected.length < 8;) {
        at = schedule.next(at, after);
        if (at === undefined) break;
        expected.push(at);
      }
      const timer = timezone === undefined ? { cron } : { cron, timezone };
      expect(nextTicks(timer, { anchor: 0, after, count: 8 }), start).toEqual(expected);
    }
  },
);

test('an interval keeps step with its activation, and has no known tick before it', () => {
  const timer = { intervalSeconds: 90 };
  expect(nextTicks(timer, { anchor: 1_000, after: 100_000, count: 3 })).toEqual([181_000, 271_000, 361_000]);
  expect(nextTicks(timer, { anchor: undefined, after: 100_000, count: 3 })).toEqual([]);
});

test.each([
  ['a cron of other dialects', { cron: '@daily' }],
  ['an unknown time zone', { cron: '0 6 * * *', timezone: 'Europe/Atlantis' }],
])('%s has no ticks', (_, timer) => {
  expect(nextTicks(timer, { anchor: 0, after: 0, count: 3 })).toEqual([]);
});
