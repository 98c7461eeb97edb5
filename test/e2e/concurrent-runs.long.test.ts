import { afterAll, beforeAll, expect, test } from 'vitest';
import { noFaults } from '../../infra/embedded/faults.ts';
import { assemblyWith } from '../support/assembly-with.ts';
import { Scene, deployed } from '../support/scene.ts';
import { aUser } from '../support/stores.ts';
import { until } from '../support/until.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open({ assembly: assemblyWith({ limits: { concurrentRuns: 2 } }), faults: noFaults });
});
afterAll(() => scene.close());

const waits = (name: string, url: string, http = `'$.interface.http'`) => `export default {
  name: '${name}', version: '0.0.1', props: { http: ${http} },
  async run() { await fetch('${url}').catch(() => undefined); this.$emit({ ended: true }); },
};`;

test('a user has as many long runs at the same time as the stage allows; others are served, and no trigger is lost', async () => {
  const gate = await scene.webhook();
  gate.receiver.respond = () => 'hang';
  const slow = await Promise.all([1, 2, 3, 4, 5].map((n) => scene.source(waits(`Slow ${n}`, gate.receiver.url))));
  const answering = await scene.source(
    waits('Answering', gate.receiver.url, `{ type: '$.interface.http', customResponse: true }`),
  );
  for (const { endpoint } of slow) expect((await scene.send(endpoint)).status).toBe(200);
  await until('both places are taken', () => gate.receiver.received.length === 2);

  const synchronous = await scene.send(answering.endpoint);
  expect([synchronous.status, Number(synchronous.headers.get('retry-after')) > 0]).toEqual([429, true]);
  expect(await synchronous.json()).toMatchObject({ code: 'overloaded' });

  const other = await aUser(scene.cloud);
  const created = await scene.api.as(other.key).post('/sources', {
    component_code: `export default { name: 'Quick', version: '1', props: { http: '$.interface.http' }, run() { this.$emit({ quick: true }); } };`,
  });
  const quick = deployed(created.body.data);
  await scene.send(quick.endpoint);
  await until('the other user is served', async () => {
    const { body } = await scene.api.as(other.key).get(`/sources/${quick.id}/event_summaries`);
    return body.data.length === 1;
  });
  expect(gate.receiver.received.length).toBe(2);

  await gate.receiver.stop();
  for (const { id } of slow) await scene.eventsOf(id, 1);
});
