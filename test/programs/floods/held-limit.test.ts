import { afterAll, beforeAll, expect, test } from 'vitest';
import { Scene } from '../../support/scene.ts';
import { until } from '../../support/until.ts';
import { holdDeliveries, MAX_HELD } from './hold-deliveries.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

test('a webhook holds 10,000 deliveries: the oldest beyond that are discarded, counted and listed', async () => {
  const [source, hook] = [
    await scene.source(`export default {
    name: 'Twelve', version: '0.0.1', run() { for (let n = 0; n < 12; n += 1) this.$emit({ n }); },
  };`),
    await scene.webhook(),
  ];
  await scene.subscribe(source.id, hook.id);
  await scene.api.put(`/webhooks/${hook.id}`, { active: false });
  await holdDeliveries(scene, { hook, count: MAX_HELD, startMs: Date.now() - 60 * 60_000 });
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
  expect((await scene.api.get(`/webhooks/${hook.id}`)).body.data.held_count).toBe(MAX_HELD);
});
