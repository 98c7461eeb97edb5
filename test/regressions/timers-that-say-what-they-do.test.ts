import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseScheduleExpression } from '../../infra/embedded/scheduler/schedule-expression.ts';
import type { Schedule } from '../../shared/aws/schedules.ts';
import { SourceId, UserId } from '../../shared/domain/id.ts';
import { cronSchedule } from '../../shared/domain/component/timer-schedule.ts';
import { createSourceTimers } from '../../shared/service/timers/source-timers.ts';
import { Scene } from '../support/scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

const CODE = `export default { name: 'T', version: '1', props: { timer: '$.interface.timer' }, run() {} };`;

test.each([
  ['a cron alone', { cron: '0 7 * * *' }, { interval_seconds: null, cron: '0 7 * * *' }],
  ['an interval', { interval_seconds: 60 }, { interval_seconds: 60, cron: null }],
  [
    'a cron with a zone',
    { cron: '0 7 * * *', timezone: 'Asia/Tokyo' },
    { interval_seconds: null, cron: '0 7 * * *', timezone: 'Asia/Tokyo' },
  ],
])('%s that is put replaces the whole timer, also the zone of its default', async (_, timer, shown) => {
  const value = `{ type: '$.interface.timer', default: { cron: '0 6 * * *', timezone: 'Europe/Rome' } }`;
  const source = await scene.source(
    `export default { name: 'Zone', version: '1', props: { timer: ${value} }, run() {} };`,
  );
  expect(source.data.configured_props.timer).toMatchObject({ timezone: 'Europe/Rome' });
  const { body } = await scene.api.put(`/sources/${source.id}`, { configured_props: { timer } });
  expect(body.data.configured_props.timer).toEqual(shown);
});

describe('a timer that would not do what it says is 400 with the mend', () => {
  test.each([
    [{ cron: '0 0 30 2 *' }, /never occurs: 2 has no day 30; choose a day/],
    [{ cron: '0 0 31 FEB,APR *' }, /never occurs/],
    [{ cron: '0 0 31 2,4,6,9,11 *' }, /never occurs/],
    [{ cron: '0 6 * * *', timeZone: 'Europe/Rome' }, /unknown member timeZone.*timezone/],
    [{ interval: 60 }, /unknown member interval; a timer has interval_seconds/],
    [{ cron: '*/90 * * * *' }, /step of 90 in the minute field, which ends at 59: .*interval_seconds/],
    [{ cron: '0 */36 * * *' }, /step of 36 in the hour field/],
    [{ cron: '0 0 1-5/100 * *' }, /step of 100 in the day of the month field/],
    [{ cron: '@hourly' }, /short form @hourly: write five fields/],
    [{ cron: '0 0 L * *' }, /day of the month field: L;.*L, W, # and \? are not supported/],
    [{ cron: '0 0 15W * *' }, /15W/],
    [{ cron: '0 0 * * 5#2' }, /5#2/],
    [{ cron: '0 0 1 * MON' }, /both the day of the month and the day of the week/],
    [{ cron: '0 6 * * *', timezone: 'Europe/Atlantis' }, /name of a time zone/],
    [{ timezone: 'Europe/Rome' }, /timezone without a cron/],
    [{ interval_seconds: 60, timezone: 'Europe/Rome' }, /timezone/],
    [{ interval_seconds: 60, cron: '0 6 * * *' }, /not both/],
  ])('%j', async (timer, message) => {
    const { status, body } = await scene.api.post('/sources', {
      component_code: CODE,
      configured_props: { timer },
    });
    expect([status, body.error]).toEqual([
      400,
      expect.stringMatching(new RegExp(`^configured_props\\.timer .*${message.source}`)),
    ]);
  });

  test.each([
    [{ cron: '0 0 29 2 *' }],
    [{ cron: '0 0 30 1,2 *' }],
    [{ cron: '0 9 * JAN-MAR 7' }],
    [{ cron: '*/59 */23 * * *' }],
    [{ cron: '0 6 * * *', timezone: 'europe/rome' }],
  ])('%j is a timer', async (timer) => {
    const source = await scene.source(CODE, { configured_props: { timer } });
    expect(source.data.configured_props.timer).toMatchObject({ interval_seconds: null, cron: timer.cron });
  });
});

/** The nights in which clocks change. */
const NIGHTS = [
  { zone: 'Europe/Berlin', from: Date.UTC(2031, 9, 25, 22), changes: 'back' },
  { zone: 'Europe/Berlin', from: Date.UTC(2031, 2, 29, 22), changes: 'forward' },
  { zone: 'America/New_York', from: Date.UTC(2031, 10, 2, 3), changes: 'back' },
  { zone: 'Pacific/Chatham', from: Date.UTC(2031, 3, 5, 11), changes: 'back' },
];
const HOUR = 3_600_000;

const occurrences = (cron: string, zone: string, from: number, to: number) => {
  const { expression, timezone = 'UTC' } = cronSchedule(cron, zone, from);
  const parsed = parseScheduleExpression(expression, timezone);
  const found: number[] = [];
  for (let at = parsed.next(from - 1, from); at !== undefined && at < to; at = parsed.next(at, from)) found.push(at);
  return found;
};

describe('a cron of every hour runs through a change of the clock', () => {
  test.each(NIGHTS)('$zone, $changes', ({ zone, from }) => {
    expect(occurrences('*/15 * * * *', zone, from, from + 8 * HOUR)).toEqual(
      Array.from({ length: 32 }, (_, n) => from + n * HOUR * 0.25),
    );
  });

  test('at the minutes of its zone, also in one that is half an hour off', () => {
    const from = Date.UTC(2031, 0, 1);
    const minute = (zone: string) =>
      occurrences('0 * * * *', zone, from, from + HOUR).map((at) => new Date(at).getUTCMinutes());
    expect(minute('Asia/Kolkata')).toEqual([30]);
    expect(minute('Asia/Kathmandu')).toEqual([15]);
    expect(minute('Europe/Berlin')).toEqual([0]);
    expect(cronSchedule('0 * * * *', 'Australia/Lord_Howe', from).timezone).toBe('Australia/Lord_Howe');
    expect(cronSchedule('*/30 * * * *', 'Australia/Lord_Howe', from).timezone).toBeUndefined();
  });
});

test('the schedule of a source has the time zone, unless its cron holds in every hour', async () => {
  const made: (Schedule['when'] | undefined)[] = [];
  const timers = createSourceTimers({
    schedules: {
      put: (schedule) => Promise.resolve(void made.push(schedule.when)),
      create: () => expect.unreachable(),
      delete: () => expect.unreachable(),
    },
    sendJobs: () => expect.unreachable(),
    runsQueueArn: 'arn:runs',
    jobsQueueArn: 'arn:jobs',
    now: () => Date.UTC(2031, 0, 1),
  });
  for (const cron of ['0 6 * * *', '*/15 * * * *'])
    await timers.start({
      sourceId: SourceId.parse(`dc_${'0'.repeat(24)}`),
      ownerId: UserId.parse(`u_${'0'.repeat(24)}`),
      generation: 1,
      anchor: 0,
      timer: { cron, timezone: 'Europe/Berlin' },
    });
  expect(made).toEqual([
    { expression: 'cron(0 6 * * ? *)', timezone: 'Europe/Berlin' },
    { expression: 'cron(0/15 * * * ? *)' },
  ]);
});

test('any other cron stays in its zone: a skipped time is skipped, a repeated one runs once', () => {
  const from = Date.UTC(2031, 9, 25, 22);
  const back = occurrences('30 2 * * *', 'Europe/Berlin', from, from + 24 * HOUR);
  expect(back).toEqual([Date.UTC(2031, 9, 26, 0, 30)]);
  const spring = Date.UTC(2031, 2, 29, 22);
  expect(occurrences('30 2 * * *', 'Europe/Berlin', spring, spring + 24 * HOUR)).toEqual([]);
});
