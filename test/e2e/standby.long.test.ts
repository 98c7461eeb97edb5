import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDataDirectory } from '../../infra/embedded/disk/data-directory.ts';
import { apiClient } from '../support/api-client.ts';
import { startTestCloud, type TestCloud } from '../support/cloud.ts';
import { crashCopy } from '../support/crash-copy.ts';
import { adminJson, operatorAt } from '../support/operator.ts';
import { Scene } from '../support/scene.ts';
import { templateWithoutCode } from '../support/stack.ts';
import { until } from '../support/until.ts';

const POLLER = `export default {
  name: 'Orders', version: '0.0.1', props: { http: '$.interface.http', timer: { type: '$.interface.timer', default: { intervalSeconds: 600 } } },
  run({ body }) { if (body) { this.$emit(body); this.$emit({ later: true }, { delivery_ts: Date.now() + 3_600_000 }); } },
};`;

const folder = mkdtempSync(join(tmpdir(), 'tributary-standby-'));
let primary: Scene;
let standby: TestCloud | undefined;
beforeAll(async () => {
  primary = await Scene.open();
});
afterAll(async () => {
  await primary.close();
  await standby?.stop();
  rmSync(folder, { recursive: true });
});

const ownQueues = 'arn:aws:sqs:us-east-1:';
const otherQueues = 'arn:aws:sqs:eu-west-1:';

/** Copies the rows of the table, the objects of the bucket and the key. Queues and schedules have no replica. */
async function replicate(from: string, to: string): Promise<void> {
  crashCopy(from, to);
  const disk = await openDataDirectory(to);
  for (const prefix of ['q/', 't/']) for await (const key of disk.keys(prefix)) disk.del(key);
  // The embedded cloud has one region. The queues of two regions have different ARNs, which rows name.
  for await (const [key, value] of disk.entries('d/'))
    if (value.includes(ownQueues)) disk.put(key, value.replaceAll(ownQueues, otherQueues));
  await disk.commit();
  await disk.close();
}

/** Schedules on disk, without those of the stack itself. */
async function schedules({ cloud }: TestCloud): Promise<string[]> {
  const names: string[] = [];
  for await (const key of cloud.open.services.disk.keys('t/s/')) names.push(key.split('/').at(-1) ?? '');
  return names.filter((name) => /^(?:timer|keep|in|dl)[-_]/.test(name)).sort();
}

test('a standby goes on with the replicated data: keys, endpoints, deliveries, events and timers', async () => {
  const source = await primary.source(POLLER);
  const { receiver, id: webhook } = await primary.webhook();
  await primary.subscribe(source.id, webhook);
  await primary.send(source.endpoint, { n: 1 });
  await until('the event is delivered', () => receiver.received.length === 1);
  await until('the emit waits', async () => (await schedules(primary.cloud)).some((name) => name.startsWith('in-')));
  const before = await schedules(primary.cloud);
  const events = await primary.eventsOf(source.id, 1);
  await replicate(primary.cloud.dataDir, join(folder, 'replica'));
  await primary.cloud.stop();

  standby = await startTestCloud({ fillData: (to) => cpSync(join(folder, 'replica'), to, { recursive: true }) });
  expect(await schedules(standby)).toEqual([]);
  await adminJson(operatorAt(standby), ['reconcile']);
  expect(await schedules(standby)).toEqual(before);
  const api = await apiClient(standby.base, primary.cloud.key);
  // A read of the list may be older than the copy.
  await until('the events are there', async () => {
    const { body: page } = await api.get(`/sources/${source.id}/event_summaries`);
    return String((page.data as { id: string }[]).map(({ id }) => id)) === String(events.map(({ id }) => id));
  });
  // A domain leads the same path to the other region.
  const address = standby.ingress + new URL(source.endpoint).pathname;
  expect((await primary.send(address, { n: 2 })).status).toBe(200);
  await until('the standby delivers', () => receiver.received.some(({ body: sent }) => sent === '{"n":2}'));
});

test('the stacks of both regions own no data and differ in bucket and key only', () => {
  const of = (region: string) =>
    templateWithoutCode({
      adopt: {
        table: 'Tributary',
        bucket: `tributary-${region}`,
        keyArn: `arn:aws:kms:${region}:111122223333:key/mrk-0123456789abcdef0123456789abcdef`,
      },
    });
  const [first, second] = [of('eu-west-1'), of('eu-central-1')];
  const types = Object.values(first.Resources).map(({ Type }) => Type);
  for (const type of ['AWS::DynamoDB::GlobalTable', 'AWS::S3::Bucket', 'AWS::KMS::Key'])
    expect(types).not.toContain(type);
  expect(JSON.stringify(first).replaceAll('eu-west-1', 'eu-central-1')).toBe(JSON.stringify(second));
});
