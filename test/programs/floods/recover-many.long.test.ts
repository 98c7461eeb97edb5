import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Hook, Scene } from '../../support/scene.ts';
import { until } from '../../support/until.ts';
import { holdDeliveries, MAX_HELD } from './hold-deliveries.ts';

/**
 * The held deliveries are stored within this time on an idle machine. A machine that needs longer is slower by the
 * quotient.
 */
const STORED_MS = 2_000;

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

const recovery = async (hook: Hook) => (await scene.api.get(`/webhooks/${hook.id}/recover`)).body.data;

test(`${MAX_HELD} held deliveries are recovered within 60 s, oldest first, also when the service stops in between`, async () => {
  const hook = await scene.webhook();
  const startMs = Date.now() - 60 * 60_000;
  const heldAt = performance.now();
  await holdDeliveries(scene, { hook, count: MAX_HELD, startMs });
  const storedMs = performance.now() - heldAt;
  expect((await scene.api.get(`/webhooks/${hook.id}`)).body.data.held_count).toBe(MAX_HELD);
  const started = Date.now();
  const { body } = await scene.api.post(`/webhooks/${hook.id}/recover`, { since: startMs });
  expect(body.data).toMatchObject({ found: MAX_HELD, sent: 0, status: 'running' });
  await until('a part is sent', async () => (await recovery(hook)).sent > 1_000);
  const again = await scene.api.post(`/webhooks/${hook.id}/recover`, { since: startMs });
  expect(again.body.data).toMatchObject({ id: body.data.id, found: MAX_HELD });
  const stoppedAt = Date.now();
  await scene.cloud.restart();
  const stoppedMs = Date.now() - stoppedAt;
  const done = await until('it is done', async () => {
    const job = await recovery(hook);
    return job.status === 'done' && job;
  });
  expect(done).toMatchObject({ id: body.data.id, found: MAX_HELD, sent: MAX_HELD });
  const factor = Math.max(1, storedMs / STORED_MS);
  expect(done.finished_at_ms - started - stoppedMs).toBeLessThan(60_000 * factor);
  const order = hook.receiver.bodies as { n: number }[];
  expect(new Set(order.map(({ n }) => n)).size).toBe(MAX_HELD);
  // Attempts of a part run at the same time, so that neighbours may overtake each other.
  const furthest = order.map(({ n }, index) => Math.abs(n - index)).sort((a, b) => a - b);
  expect(furthest[Math.floor(MAX_HELD * 0.9)]).toBeLessThan(200);
  expect((await scene.api.get(`/webhooks/${hook.id}`)).body.data.held_count).toBe(0);
});
