import { afterAll, beforeAll, expect, test } from 'vitest';
import { noFaults } from '../../infra/embedded/faults.ts';
import { assemblyWith } from '../support/assembly-with.ts';
import { deployed, ECHO, Scene } from '../support/scene.ts';
import { aUser } from '../support/stores.ts';
import { until } from '../support/until.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open({
    assembly: assemblyWith({ limits: { storedBytes: 3_000_000 } }),
    faults: noFaults,
  });
});
afterAll(() => scene.close());

/** Stores 4 MB before its first request. */
const FILLING = `export default {
  name: 'Filling', version: '0.0.1', props: { http: '$.interface.http' },
  hooks: {
    async deploy() {
      for (let n = 0; n < 40; n += 1) this.$emit({ n, text: 'x'.repeat(100_000) });
    },
  },
  run({ body }) { this.$emit(body); },
};`;

test('a user who fills the storage stores nothing more, until events are deleted; reads go on, and others are not affected', async () => {
  const filling = await scene.source(FILLING);
  await scene.eventsOf(filling.id, 40);

  const refused = await scene.send(filling.endpoint, { more: 1 });
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({
    code: 'storage_full',
    error: expect.stringMatching(/limits\.storedBytes.*Delete events or sources/),
  });
  const component = await scene.api.post('/components', { component_code: ECHO });
  expect([component.status, component.body.code]).toEqual([409, 'limit_reached']);
  expect(component.body.error).toContain('3000000 stored bytes');
  const errors = await scene.eventsOf(filling.id, 1, { event_name: '$errors' });
  expect(errors.map(({ event }) => event.error.code)).toEqual(['storage_full']);
  expect((await scene.events(filling.id)).length).toBe(40);

  const neighbour = await aUser(scene.cloud);
  const created = await scene.api.as(neighbour.key).post('/sources', { component_code: ECHO });
  expect(created.status).toBe(200);
  const own = deployed(created.body.data);
  expect((await scene.send(own.endpoint, { n: 1 })).status).toBe(200);
  await until("the neighbour's event is stored", async () => {
    const { body } = await scene.api.as(neighbour.key).get(`/sources/${own.id}/event_summaries`);
    return body.data.length === 1;
  });

  expect((await scene.api.delete(`/sources/${filling.id}/events`)).status).toBeLessThan(300);
  await until(
    'requests are accepted again',
    async () => (await scene.send(filling.endpoint, { again: true })).status === 200,
    { everyMs: 500 },
  );
  await until('events are stored again', async () =>
    (await scene.events(filling.id)).some(({ event }) => event.again === true),
  );
});
