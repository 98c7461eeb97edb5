import { afterAll, beforeAll, expect, test } from 'vitest';
import { FakeClock } from '../../infra/embedded/clock.ts';
import { userStore } from '../../shared/store/users/users.ts';
import { emitter } from '../support/components.ts';
import { Scene } from '../support/scene.ts';
import { aUser, tableOf } from '../support/stores.ts';
import { until } from '../support/until.ts';

const clock = new FakeClock(Date.parse('2031-01-31T10:37:21Z'));
let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open({ clock });
});
afterAll(() => scene.close());

/** A period ended with the calendar month: here fourteen hours after it started. */
test('invocations are counted in periods of a month, each in one', async () => {
  const { id, key } = await aUser(scene.cloud, 'free');
  const theirs = scene.api.as(key);
  const me = async () => (await theirs.get('/users/me')).body.data;
  const { data } = (await theirs.post('/sources', { component_code: emitter() })).body;
  const runAt = async (time: string, count: number) => {
    clock.advance(Date.parse(time) - clock.now());
    for (let run = 0; run < count; run += 1) await theirs.post(`/sources/${data.id}/run`, {});
    await until('all have run', scene.isThrough);
  };
  const billed = async () => {
    const { billing_period_start_ts: start, billing_period_end_ts: end, billing_period_invocations } = await me();
    const text = (seconds: number) => new Date(seconds * 1_000).toISOString().slice(0, 19);
    return [text(start), text(end), billing_period_invocations];
  };

  await runAt('2031-01-31T10:37:30Z', 2);
  await userStore(tableOf(scene.cloud)).setPlan(id, { plan: 'paid', paidSince: clock.now() });
  const first = ['2031-01-31T10:37:30', '2031-02-28T10:37:30'];
  expect(await billed()).toEqual([...first, 0]);
  await runAt('2031-01-31T10:40:00Z', 1);
  await runAt('2031-02-14T00:00:00Z', 2);
  await runAt('2031-02-28T09:59:59Z', 3);
  expect(await billed()).toEqual([...first, 6]);

  const second = ['2031-02-28T10:37:30', '2031-03-31T10:37:30'];
  await runAt('2031-02-28T10:37:30Z', 1);
  expect(await billed()).toEqual([...second, 1]);
  await runAt('2031-03-30T00:00:00Z', 1);
  expect(await billed()).toEqual([...second, 2]);
});
