import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { FakeClock } from '../../infra/embedded/clock.ts';
import { Scene } from '../support/scene.ts';
import { travel as travelOn } from '../support/travel.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const hasFaults = inject('faults') === 'injected';
/** The clock starts neither on a whole minute nor on a whole second. */
const START = Date.UTC(2031, 2, 29, 22, 10, 7, 345);

let clock: FakeClock;
let scene: Scene;
const travel: typeof travelOn = (at, journey, condition) =>
  travelOn(at, { isBusy: scene.isBusy, ...journey }, condition);
beforeEach(async () => {
  clock = new FakeClock(START);
  scene = await Scene.open({ clock });
});
afterEach(() => scene.close());

const ticking = (timer: object, more = {}) =>
  scene.source(
    `export default { name: 'T', version: '1', props: { timer: { type: '$.interface.timer' } }, run(event) { this.$emit(event); } };`,
    { configured_props: { timer }, ...more },
  );
const ticks = async (id: string) => (await scene.events(id)).map(({ event }) => event).reverse();
/** A look that may be stale: while time passes the next one follows soon. */
const seen = async (id: string): Promise<number> =>
  (await scene.api.get(`/sources/${id}/event_summaries`, { limit: 100 })).body.data.length;
/** Events' own times: milliseconds since the start, oldest first. */
const times = async (id: string) =>
  (await scene.events(id)).map(({ id: at }) => Number(at.split('-')[0]) - START).reverse();

test('an interval of 15 s ticks first one interval after activate, and then every 15 s', async () => {
  const source = await ticking({ interval_seconds: 15 });
  expect(source.data.configured_props.timer).toEqual({ interval_seconds: 15, cron: null });
  await travel(clock, { byMs: 14 * SECOND, stepMs: SECOND });
  expect(await ticks(source.id)).toEqual([]);
  await travel(clock, { byMs: 181 * SECOND, stepMs: SECOND });
  await travel(clock, { byMs: SECOND, stepMs: SECOND, settleMs: 300 });
  const at = await times(source.id);
  if (!hasFaults) {
    expect(at).toHaveLength(13);
    for (const [index, time] of at.entries())
      expect(Math.abs(time - (index + 1) * 15 * SECOND)).toBeLessThanOrEqual(1_500);
  } else expect(at.length).toBeGreaterThan(0);
  const [first] = await ticks(source.id);
  expect(first).toMatchObject({ interval_seconds: 15 });
  expect(Math.abs(first.timestamp * SECOND - START - 15 * SECOND)).toBeLessThanOrEqual(2_000);
});

test('an interval of minutes ticks one interval after activate; PUT active false stops it, true starts it anew; a new one counts from its PUT', async () => {
  const source = await ticking({ intervalSeconds: 300 });
  const slack = hasFaults ? 10 * MINUTE : 0;
  await travel(clock, { byMs: 299 * SECOND, stepMs: 13 * SECOND });
  expect(await ticks(source.id)).toEqual([]);
  expect(
    await travel(clock, { byMs: MINUTE + slack, stepMs: 5 * SECOND }, async () => (await seen(source.id)) === 1),
  ).toBe(true);
  expect(
    await travel(clock, { byMs: 6 * MINUTE + slack, stepMs: 5 * SECOND }, async () => (await seen(source.id)) === 2),
  ).toBe(true);
  await scene.api.put(`/sources/${source.id}`, { active: false });
  const count = (await ticks(source.id)).length;
  await travel(clock, { byMs: 30 * MINUTE, stepMs: MINUTE });
  expect((await ticks(source.id)).length).toBe(count);
  await scene.api.put(`/sources/${source.id}`, { active: true });
  await travel(clock, { byMs: 4 * MINUTE, stepMs: MINUTE });
  expect((await ticks(source.id)).length).toBe(count);
  expect(
    await travel(
      clock,
      { byMs: 2 * MINUTE + slack, stepMs: 5 * SECOND },
      async () => (await seen(source.id)) === count + 1,
    ),
  ).toBe(true);
  await scene.api.put(`/sources/${source.id}`, { configured_props: { timer: { interval_seconds: 1800 } } });
  await travel(clock, { byMs: 29 * MINUTE, stepMs: 5 * MINUTE });
  expect((await ticks(source.id)).length).toBe(count + 1);
  expect(
    await travel(
      clock,
      { byMs: 2 * MINUTE + slack, stepMs: MINUTE },
      async () => (await seen(source.id)) === count + 2,
    ),
  ).toBe(true);
  expect((await ticks(source.id)).at(-1)).toMatchObject({ interval_seconds: 1800 });
});

test('cron ticks at its times in UTC, or in the time zone that is chosen, over a restart and a change of clocks', async () => {
  const utc = await ticking({ cron: '0 1 * * *' });
  const berlin = await ticking({ cron: '30 3 * * *', timezone: 'Europe/Berlin' });
  expect(berlin.data.configured_props.timer).toEqual({
    interval_seconds: null,
    cron: '30 3 * * *',
    timezone: 'Europe/Berlin',
  });
  await scene.cloud.restart();
  // On 30 March 2031 clocks in Berlin go from 2:00 to 3:00: 3:30 there is 1:30 UTC.
  await travel(clock, { byMs: 26 * HOUR, stepMs: 5 * MINUTE, settleMs: 8 });
  await travel(clock, { byMs: 3 * HOUR, stepMs: 5 * MINUTE, settleMs: 8 });
  await travel(clock, { byMs: SECOND, stepMs: SECOND, settleMs: 300 });
  const hours = (all: number[]) => all.map((time) => new Date(START + time).toISOString().slice(8, 13));
  if (!hasFaults) {
    expect(hours(await times(utc.id))).toEqual(['30T01', '31T01']);
    expect(hours(await times(berlin.id))).toEqual(['30T01', '31T01']);
    expect(await ticks(utc.id)).toHaveLength(2);
  } else expect((await ticks(utc.id)).length).toBeGreaterThan(0);
});

test('without a timer value the default of the prop counts, else hourly; less than 15 s, both forms, or a broken cron are 400', async () => {
  const code = (prop: object) =>
    `export default { name: 'T', version: '1', props: { timer: ${JSON.stringify({ type: '$.interface.timer', ...prop })} }, run() {} };`;
  const timed = await scene.source(code({ default: { intervalSeconds: 900 } }));
  expect(timed.data.configured_props.timer).toEqual({ interval_seconds: 900, cron: null });
  const hourly = await scene.source(code({}));
  expect(hourly.data.configured_props.timer).toEqual({ interval_seconds: 3600, cron: null });
  const back = await scene.api.put(`/sources/${timed.id}`, { configured_props: timed.data.configured_props });
  expect(back.status).toBe(200);
  const wrong = [
    { interval_seconds: 14 },
    { interval_seconds: 15.5 },
    { interval_seconds: '60' },
    { interval_seconds: 60, cron: '* * * * *' },
    { cron: '* * * *' },
    { cron: '61 * * * *' },
    { cron: '* * * * *', timezone: 'Mars/Base' },
  ];
  for (const timer of wrong) {
    const { status, body } = await scene.api.post('/sources', {
      component_code: code({}),
      configured_props: { timer },
    });
    expect([status, body.details?.[0].path], JSON.stringify(timer)).toEqual([400, 'configured_props.timer']);
  }
});
