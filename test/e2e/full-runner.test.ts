import { afterAll, beforeAll, expect, test } from 'vitest';
import { assemblyWith } from '../support/assembly-with.ts';
import { ECHO, Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

let scene: Scene;
let returned = 0;
beforeAll(async () => {
  scene = await Scene.open({
    assembly: assemblyWith({ runners: 1 }),
    onQueueRequest(queue, operation) {
      if (queue.endsWith('.fifo') && operation.startsWith('ChangeMessageVisibility')) returned += 1;
    },
  });
});
afterAll(() => scene.close());

test('a run without a free runner returns to the queue and runs later, in order and without loss', async () => {
  const gate = await scene.webhook();
  gate.receiver.respond = () => 'hang';
  const blocking = await scene.source(`export default {
    name: 'Blocking', version: '0.0.1', props: { http: '$.interface.http' },
    async run() { await fetch('${gate.receiver.url}').catch(() => undefined); this.$emit({ ended: true }); },
  };`);
  const waiting = await scene.source(ECHO);
  await scene.send(blocking.endpoint);
  await until('the only place is taken', () => gate.receiver.received.length > 0);
  for (const n of [0, 1, 2]) expect((await scene.send(waiting.endpoint, { n })).status).toBe(200);
  await until('the run is given back', () => returned > 0);
  expect(await scene.events(waiting.id)).toEqual([]);
  await gate.receiver.stop();
  await scene.eventsOf(blocking.id, 1);
  const events = await scene.eventsOf(waiting.id, 3);
  expect(events.map(({ event }) => event.n as number)).toEqual([2, 1, 0]);
});
