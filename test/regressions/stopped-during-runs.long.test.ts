import { afterAll, beforeAll, expect, test } from 'vitest';
import { Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

test('runs that a stop cut off leave no error: their triggers were not acknowledged, and run after the next start', async () => {
  const gate = await scene.webhook();
  let isOpen = false;
  gate.receiver.respond = () => (isOpen ? { status: 200 } : 'hang');
  const sources = await Promise.all(
    [1, 2, 3].map(() =>
      scene.source(`export default { name: 'Hangs', version: '0.0.1', props: { http: '$.interface.http' },
        async run({ body }) { await fetch('${gate.receiver.url}'); this.$emit(body); } };`),
    ),
  );
  for (const { endpoint } of sources) expect((await scene.send(endpoint, { n: 1 })).status).toBe(200);
  await until('all runs hang', () => gate.receiver.received.length === sources.length);
  isOpen = true;
  await scene.cloud.restart();
  for (const { id } of sources) {
    const events = await scene.eventsOf(id, 1);
    expect(events.map(({ event }) => event.n as number)).toEqual([1]);
    expect(await scene.events(id, { event_name: '$errors' })).toEqual([]);
  }
});
