import { afterAll, beforeAll, expect, test } from 'vitest';
import { deliveryIdOf } from '../../../shared/domain/delivery/delivery.ts';
import { eventId } from '../../../shared/domain/event/event-id.ts';
import { SourceId, UserId, WebhookId } from '../../../shared/domain/id.ts';
import { batchWrite } from '../../../shared/store/batch-write.ts';
import { type StoredDelivery, toDeliveryItem } from '../../../shared/store/delivery-item.ts';
import { deliveryBodyKey, deliveryKey, listEntryKey } from '../../../shared/store/keys.ts';
import { repetitions } from '../../support/repetitions.ts';
import { type Hook, Scene } from '../../support/scene.ts';
import { tableOf } from '../../support/stores.ts';
import { until } from '../../support/until.ts';

/** The most that a webhook holds. */
const HELD = 10_000;
const RECOVERED = repetitions(3_000, HELD);

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

/** Held deliveries as a fan-out to an inactive webhook stores them: too many to emit in a test. */
async function hold(hook: Hook, count: number, startMs: number): Promise<void> {
  const ownerId = UserId.parse((await scene.api.get('/users/me')).body.data.id);
  const [listenerId, emitterId] = [WebhookId.parse(hook.id), SourceId.parse('dc_emitter')];
  const items: Record<string, unknown>[] = [];
  for (let n = 0; n < count; n += 1) {
    const event = { emitId: `emit-${n}`, eventId: eventId({ ms: startMs + n, sequence: 0 }) };
    const id = deliveryIdOf(event, listenerId);
    const delivery: StoredDelivery = {
      ...{ id, listenerId, ownerId, emitterId, stream: 'default', ...event },
      ...{ status: 'held', list: 'held', attemptCount: 0, scheduleStep: 0, messageNumber: 0 },
    };
    items.push(
      { ...deliveryKey(listenerId, id), ...toDeliveryItem(delivery) },
      { ...deliveryBodyKey(id), payload: { json: JSON.stringify({ n }) } },
      listEntryKey('held', listenerId, id),
    );
  }
  await batchWrite(
    tableOf(scene.cloud),
    items.map((Item) => ({ PutRequest: { Item } })),
  );
}

const recovery = async (hook: Hook) => (await scene.api.get(`/webhooks/${hook.id}/recover`)).body.data;

test(`${RECOVERED} held deliveries are recovered within 60 s, oldest first, also when the service stops in between`, async () => {
  const hook = await scene.webhook();
  const startMs = Date.now() - 60 * 60_000;
  await hold(hook, RECOVERED, startMs);
  expect((await scene.api.get(`/webhooks/${hook.id}`)).body.data.held_count).toBe(RECOVERED);
  const started = Date.now();
  const { body } = await scene.api.post(`/webhooks/${hook.id}/recover`, { since: startMs });
  expect(body.data).toMatchObject({ found: RECOVERED, sent: 0, status: 'running' });
  await until('a part is sent', async () => (await recovery(hook)).sent > 1_000);
  const again = await scene.api.post(`/webhooks/${hook.id}/recover`, { since: startMs });
  expect(again.body.data).toMatchObject({ id: body.data.id, found: RECOVERED });
  const stoppedAt = Date.now();
  await scene.cloud.restart();
  const stoppedMs = Date.now() - stoppedAt;
  const done = await until('it is done', async () => {
    const job = await recovery(hook);
    return job.status === 'done' && job;
  });
  expect(done).toMatchObject({ id: body.data.id, found: RECOVERED, sent: RECOVERED });
  expect(done.finished_at_ms - started - stoppedMs).toBeLessThan(60_000);
  const order = hook.receiver.bodies as { n: number }[];
  expect(new Set(order.map(({ n }) => n)).size).toBe(RECOVERED);
  // Attempts of a part run at the same time, so that neighbours may overtake each other.
  const furthest = order.map(({ n }, index) => Math.abs(n - index)).sort((a, b) => a - b);
  expect(furthest[Math.floor(RECOVERED * 0.9)]).toBeLessThan(200);
  expect((await scene.api.get(`/webhooks/${hook.id}`)).body.data.held_count).toBe(0);
});

test('a webhook holds 10,000 deliveries: the oldest beyond that are discarded, counted and listed', async () => {
  const [source, hook] = [
    await scene.source(`export default {
    name: 'Twelve', version: '0.0.1', run() { for (let n = 0; n < 12; n += 1) this.$emit({ n }); },
  };`),
    await scene.webhook(),
  ];
  await scene.subscribe(source.id, hook.id);
  await scene.api.put(`/webhooks/${hook.id}`, { active: false });
  await hold(hook, HELD, Date.now() - 60 * 60_000);
  await scene.api.post(`/sources/${source.id}/run`);
  const discarded = await until('the oldest are discarded', async () => {
    const { body } = await scene.api.get(`/webhooks/${hook.id}/deliveries`, {
      status: 'discarded',
      limit: 100,
    });
    return body.page_info.total_count === 12 && body.data;
  });
  expect(discarded.map(({ emit_id: id }: { emit_id: string }) => id)).toEqual(
    Array.from({ length: 12 }, (_, index) => `emit-${11 - index}`),
  );
  expect((await scene.api.get(`/webhooks/${hook.id}`)).body.data.held_count).toBe(HELD);
});
