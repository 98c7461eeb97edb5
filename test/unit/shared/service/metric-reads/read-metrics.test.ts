import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UserId, WebhookId } from '../../../../../shared/domain/id.ts';
import { readMetrics } from '../../../../../shared/service/metric-reads/read-metrics.ts';
import { metricStore } from '../../../../../shared/store/users/metrics.ts';
import { deliveryWorld } from '../../../../support/world/deliveries.ts';
import { Receiver } from '../../../../support/receiver.ts';
import { emits, ended, threw } from '../../../../support/world/script.ts';
import { openWorld } from '../../../../support/world/world.ts';

let stage: Awaited<ReturnType<typeof openWorld>>;
let world: ReturnType<typeof deliveryWorld>;
let receiver: Receiver;
beforeEach(async () => {
  stage = await openWorld();
  world = deliveryWorld(stage);
  receiver = await Receiver.start();
});
afterEach(async () => {
  await receiver.stop();
  await stage.close();
});

const rows = (wanted: Partial<Parameters<typeof readMetrics>[2]>, userId = stage.ownerId) =>
  readMetrics(
    {
      sources: stage.services.sources,
      webhooks: world.webhooks,
      metrics: metricStore(stage.table),
      now: () => stage.clock.now(),
    },
    userId,
    { measure: 'events', granularity: 'minute', ...wanted },
  );
const last = async (...of: Parameters<typeof rows>) => (await rows(...of)).at(-1);

test('runs, events and errors of a source are counted once per batch, and what was discarded is not', async () => {
  const source = await stage.source();
  stage.control.script = ({ id }) => (id.includes('bad') ? [threw('Broken')] : [emits('1'), emits('2'), ended()]);
  const triggers = ['one', 'two', 'bad'].map((id) => stage.trigger(source, {}, { id }));
  await stage.execute(stage.received(triggers));
  const of = { sourceId: source.id };
  expect(await last({ ...of, measure: 'runs' })).toMatchObject({ value: 3 });
  expect(await last({ ...of, measure: 'events' })).toMatchObject({ value: 4 });
  expect(await last({ ...of, measure: 'errors' })).toMatchObject({ value: 1 });
  expect(await rows(of)).toHaveLength(60);
  expect((await rows({ ...of, granularity: 'day' })).at(-1)).toMatchObject({ value: 4 });
});

describe('deliveries', () => {
  async function delivered(statuses: readonly number[]) {
    const source = await stage.source();
    const hook = await world.webhook({ url: receiver.url });
    await world.subscribe(source.id, hook.id);
    for (const status of statuses) {
      receiver.respond = () => ({ status });
      await world.deliver([world.message(source, undefined, { indexedAt: stage.clock.now() - 30_000 })]);
    }
    await world.attemptCounts.settle();
    return { source, hook };
  }

  test('count for the source and for the webhook, by the class of the status', async () => {
    const { source, hook } = await delivered([200, 204]);
    for (const of of [{ sourceId: source.id }, { webhookId: hook.id }]) {
      expect(await last({ ...of, measure: 'deliveries' })).toMatchObject({
        value: 2,
        byStatus: new Map([['2', 2]]),
      });
      expect(await last({ ...of, measure: 'failures' })).toMatchObject({ value: 0, byStatus: new Map() });
    }
  });

  test('that fail and then succeed count as a failure and a delivery, with the whole latency', async () => {
    const { source, hook } = await delivered([500]);
    receiver.respond = () => ({ status: 200 });
    const retry = world.retries.find(({ message }) => message.kind === 'retry') ?? expect.fail('no retry');
    stage.clock.advance(60_000);
    await world.retry(retry.message);
    await world.attemptCounts.settle();
    const of = { webhookId: hook.id, granularity: 'day' } as const;
    expect(await last({ ...of, measure: 'failures' })).toMatchObject({ value: 1 });
    expect(await last({ ...of, measure: 'deliveries' })).toMatchObject({ value: 1 });
    const row = await last({ sourceId: source.id, granularity: 'day', measure: 'latency' });
    const least = 30_000 + 60_000;
    expect(row && 'p50' in row ? row.p50 : 0).toBeGreaterThan(least * 0.98);
  });
});

describe('metrics', () => {
  test('of another user, or of nothing, are not found', async () => {
    const source = await stage.source();
    const stranger = UserId.parse('u_stranger');
    await expect(rows({ sourceId: source.id }, stranger)).rejects.toMatchObject({ kind: 'not_found' });
    const webhookId = WebhookId.parse('wh_none');
    await expect(rows({ webhookId, measure: 'latency' })).rejects.toMatchObject({ kind: 'not_found' });
  });

  test('need a source or a webhook', async () => {
    await expect(rows({})).rejects.toMatchObject({
      kind: 'invalid',
      details: [{ path: 'source_id', message: 'is required unless webhook_id is given' }],
    });
  });

  test('have at most 1,500 rows', async () => {
    const { id: sourceId } = await stage.source();
    const since = (count: number) => stage.clock.now() - (count - 1) * 60_000;
    expect(await rows({ sourceId, since: since(1_500) })).toHaveLength(1_500);
    await expect(rows({ sourceId, since: since(1_501) })).rejects.toMatchObject({
      kind: 'invalid',
      details: [{ path: 'since', message: expect.stringContaining('1500 minutes') as string }],
    });
  });
});
