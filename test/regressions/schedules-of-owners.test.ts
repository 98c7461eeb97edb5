import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { FakeClock } from '../../infra/embedded/clock.ts';
import { DueQueue } from '../../infra/embedded/scheduler/due-queue.ts';
import { DAY_MS } from '../../shared/lib/durations.ts';
import { UserId, WebhookId } from '../../shared/domain/id.ts';
import { defaultUserLimits } from '../../shared/domain/limits.ts';
import { countsKey, webhookKey } from '../../shared/store/table/keys.ts';
import { Scene } from '../support/scene.ts';
import { tableOf } from '../support/stores.ts';
import { travel } from '../support/travel.ts';
import { until } from '../support/until.ts';
import { aSchedule, aWorld } from '../unit/contract/scheduler/paths.ts';
import { GROUP } from '../support/world/scheduler.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

/** Names of the schedules on disk that contain a text. */
async function schedulesWith(text: string, { cloud } = scene): Promise<string[]> {
  const names: string[] = [];
  for await (const key of cloud.cloud.open.services.disk.keys('t/s/')) if (key.includes(text)) names.push(key);
  return names;
}

async function countWebhooks(count: number): Promise<void> {
  const { body } = await scene.api.get('/users/me');
  const { dynamo, tableName } = tableOf(scene.cloud);
  await dynamo.send(
    new UpdateCommand({
      TableName: tableName,
      Key: countsKey(UserId.parse(body.data.id)),
      UpdateExpression: 'SET webhooks = :count',
      ExpressionAttributeValues: { ':count': count },
    }),
  );
}

test('a webhook beyond the limit makes no schedule, and a deleted one takes its schedule with it', async () => {
  const hook = await scene.webhook();
  expect(await schedulesWith('keep-')).toHaveLength(1);
  await countWebhooks(defaultUserLimits.webhooks);
  for (let n = 0; n < 3; n += 1) {
    const { status, body } = await scene.api.post('/webhooks', undefined, {
      query: { url: hook.receiver.url },
    });
    expect([status, body.code]).toEqual([409, 'limit_reached']);
  }
  expect(await schedulesWith('keep-')).toHaveLength(1);
  await countWebhooks(1);
  expect((await scene.api.delete(`/webhooks/${hook.id}`)).status).toBe(204);
  expect(await schedulesWith('keep-')).toEqual([]);
});

test('the schedule of a webhook that an earlier release deleted ends when it fires', async () => {
  const clock = new FakeClock(Date.UTC(2031, 2, 1));
  const earlier = await Scene.open({ clock });
  onTestFinished(() => earlier.close());
  const { id } = await earlier.webhook();
  const { dynamo, tableName } = tableOf(earlier.cloud);
  await dynamo.send(new DeleteCommand({ TableName: tableName, Key: webhookKey(WebhookId.parse(id)) }));
  const isGone = async () => (await schedulesWith('keep-', earlier)).length === 0;
  expect(await isGone()).toBe(false);
  const journey = { byMs: 6 * DAY_MS, stepMs: DAY_MS / 2, settleMs: 300, isBusy: earlier.isBusy };
  expect(await travel(clock, journey, isGone)).toBe(true);
});

test('a deleted source takes its timer and its delayed emits with it', async () => {
  const source = await scene.source(`export default {
    name: 'Later', version: '0.0.1', props: { http: '$.interface.http', timer: { type: '$.interface.timer', default: { intervalSeconds: 600 } } },
    run() { for (let n = 0; n < 5; n += 1) this.$emit({ n }, { delivery_ts: Date.now() + 3_600_000 }); },
  };`);
  await scene.send(source.endpoint);
  await until('the emits wait', async () => (await schedulesWith(`in-${source.id}`)).length === 5);
  expect(await schedulesWith(source.id)).toHaveLength(6);
  expect((await scene.api.delete(`/sources/${source.id}`)).status).toBe(204);
  await until('nothing is left', async () => (await schedulesWith(source.id)).length === 0);
});

test('schedules take little memory, whatever their input, also after a restart', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const world = await aWorld();
  const used = () => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const count = 1_000;
  for (let n = 0; n < count; n += 100) {
    await Promise.all(
      Array.from({ length: 100 }, (_, m) =>
        world.service.call(
          'CreateSchedule',
          aSchedule({ Name: `s${n + m}` }, { Input: `${n + m}${'x'.repeat(50_000)}` }),
        ),
      ),
    );
  }
  const before = used();
  const again = await world.reopen();
  expect(await again.names()).toHaveLength(count);
  // All inputs together have 50 MB.
  expect(used() - before).toBeLessThan(5_000_000);
  expect(again.stored('s7')?.target.input?.length).toBe(50_001);
});

test('deleted schedules leave nothing in memory until they would be due', async () => {
  const kept = vi.spyOn(DueQueue.prototype, 'keepOnly');
  const world = await aWorld();
  const names = Array.from({ length: 1_200 }, (_, n) => `s${n}`);
  for (const Name of names) {
    await world.service.call('CreateSchedule', aSchedule({ Name, ScheduleExpression: 'at(2030-01-01T00:00:00)' }));
    await world.service.call('DeleteSchedule', { Name, GroupName: GROUP });
  }
  expect(kept).toHaveBeenCalled();
  const { size } = kept.mock.contexts[0] as DueQueue<unknown>;
  expect(size).toBeLessThan(500);
  kept.mockRestore();
});

test('a due queue keeps its order when items are removed', () => {
  const queue = new DueQueue<number>();
  for (let n = 0; n < 1_000; n += 1) queue.push((n * 7_919) % 500, n);
  queue.keepOnly((n) => n % 3 === 0);
  expect(queue.size).toBe(334);
  const times: number[] = [];
  for (let n = queue.popDue(500); n !== undefined; n = queue.popDue(500)) times.push((n * 7_919) % 500);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(times).toHaveLength(334);
});
