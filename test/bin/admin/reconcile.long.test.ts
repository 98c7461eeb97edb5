import { DeleteScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPERATOR } from '../../../infra/embedded/iam/authorizer.ts';
import { sdkPlugin } from '../../../infra/embedded/sdk-plugin.ts';
import { adminJson, adminOutput, operatorAt } from '../../support/operator.ts';
import { Scene } from '../../support/scene.ts';
import { until } from '../../support/until.ts';

const POLLER = `export default {
  name: 'Later', version: '0.0.1', props: { http: '$.interface.http', timer: { type: '$.interface.timer', default: { intervalSeconds: 600 } } },
  run({ body }) { if (body) this.$emit({ n: 1 }, { delivery_ts: Date.now() + 3_600_000 }); },
};`;

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

/** Schedules on disk, without those of the stack itself. */
async function schedules(): Promise<string[]> {
  const names: string[] = [];
  for await (const key of scene.cloud.cloud.open.services.disk.keys('t/s/')) names.push(key.split('/').at(-1) ?? '');
  return names.filter((name) => /^(?:timer|keep|in|dl)[-_]/.test(name)).sort();
}

async function deleteAll(): Promise<void> {
  const { dispatch, outputs } = scene.cloud.cloud.open;
  const client = new SchedulerClient({ region: 'us-east-1' });
  client.middlewareStack.use(sdkPlugin({ dispatch, role: OPERATOR }));
  const GroupName = outputs['ScheduleGroup'];
  for (const Name of await schedules()) await client.send(new DeleteScheduleCommand({ Name, GroupName }));
}

test('`admin reconcile` makes the schedules of a running service again, and a second one has nothing to do', async () => {
  const source = await scene.source(POLLER);
  await scene.webhook();
  await scene.send(source.endpoint, { now: true });
  await until('the emit waits', async () => (await schedules()).some((name) => name.startsWith('in-')));
  const before = await schedules();
  expect(before).toHaveLength(3);
  await deleteAll();
  expect(await schedules()).toEqual([]);
  const operator = operatorAt(scene.cloud);
  const dry = await adminJson(operator, ['reconcile', '--dry-run']);
  expect(await schedules()).toEqual([]);
  const done = await adminJson(operator, ['reconcile']);
  expect(await schedules()).toEqual(before);
  expect(done).toEqual({ ...(dry as object), dry_run: false });
  expect(done).toMatchObject({ created: { timers: 1, delayed_emits: 1, keeping: 1, retries: 0 } });
  expect(await adminOutput(operator, ['reconcile'])).toBe(
    'Made schedules of 0 timers, 0 delayed emits, 0 retries, 0 logs of webhooks.\n' +
      'Ended schedules of 0 timers, 0 delayed emits, 0 retries, 0 logs of webhooks.\n' +
      'Sent 0 messages again.\n',
  );
});
