import { afterEach, beforeEach, expect, test } from 'vitest';
import { DeleteScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { OPERATOR } from '../../infra/embedded/iam/authorizer.ts';
import { sdkPlugin } from '../../infra/embedded/sdk-plugin.ts';
import { testAssembly } from '../support/cloud.ts';
import type { Template } from '../support/template.ts';
import { FakeClock } from '../../infra/embedded/clock.ts';
import { ECHO, type Hook, Scene } from '../support/scene.ts';
import { travel } from '../support/travel.ts';
import { until } from '../support/until.ts';

const DAY = 24 * 60 * 60 * 1_000;

let clock: FakeClock;
let scene: Scene;
beforeEach(async () => {
  clock = new FakeClock(Date.UTC(2031, 2, 1, 12));
  scene = await Scene.open({ clock });
});
afterEach(() => scene.close());

const list = async (hook: Hook, query: Record<string, string | number> = {}) =>
  (await scene.api.get(`/webhooks/${hook.id}/deliveries`, { limit: 100, ...query })).body;
const days = (count: number) =>
  travel(clock, { byMs: count * DAY, stepMs: DAY / 4, settleMs: 5, isBusy: scene.isBusy });

/** Fails when there is no such schedule. */
async function deleteSchedule(Name: string): Promise<void> {
  const { Resources } = testAssembly().template as Template;
  const group = Object.values(Resources).find(({ Type }) => Type === 'AWS::Scheduler::ScheduleGroup');
  const GroupName = String(group?.Properties['Name']);
  const client = new SchedulerClient({ region: 'us-east-1' });
  client.middlewareStack.use(sdkPlugin({ dispatch: scene.cloud.cloud.open.dispatch, role: OPERATOR }));
  await client.send(new DeleteScheduleCommand({ Name, GroupName }));
}

test('the newest 1,000 deliveries are kept however old they are, the others for seven days', async () => {
  const [source, hook] = [await scene.source(ECHO), await scene.webhook()];
  await scene.subscribe(source.id, hook.id);
  hook.receiver.respond = (index) => ({ status: index === 0 ? 410 : 200 });
  await scene.send(source.endpoint, { n: 0 });
  await until('it is off', async () => !(await scene.api.get(`/webhooks/${hook.id}`)).body.data.active);
  await scene.api.put(`/webhooks/${hook.id}`, { active: true });
  await days(1);
  const send = (from: number, to: number) =>
    Promise.all(Array.from({ length: to - from }, (_, n) => scene.send(source.endpoint, { n: from + n })));
  await send(1, 101);
  await until('all are delivered', async () => (await list(hook)).page_info.total_count === 101);
  await days(70);
  const { data, page_info: info } = await list(hook, { limit: 100 });
  expect([data.length, info.total_count]).toEqual([100, 101]);
  const [oldest] = (await list(hook, { status: 'failed' })).data;
  const { body } = await scene.api.get(`/webhooks/${hook.id}/deliveries/${oldest.id}`, { expand: 'event' });
  expect([body.data.attempt_log.length, body.data.event]).toEqual([1, { n: 0 }]);

  for (let from = 101; from < 1_301; from += 200) await send(from, from + 200);
  await until('all are delivered', () => hook.receiver.received.length >= 1_301);
  await days(1);
  expect((await list(hook, { until: clock.now() - 2 * DAY })).page_info.total_count).toBe(101);
  await days(70);
  expect((await list(hook)).page_info.total_count).toBe(1_000);
  expect((await list(hook, { until: clock.now() - 72 * DAY })).page_info.total_count).toBe(0);
});

test('the schedule of a deleted webhook ends', async () => {
  const hook = await scene.webhook();
  await scene.api.delete(`/webhooks/${hook.id}`);
  await days(6);
  await expect(deleteSchedule(`keep-${hook.id}`)).rejects.toThrow('does not exist');
  const other = await scene.webhook();
  await deleteSchedule(`keep-${other.id}`);
});
