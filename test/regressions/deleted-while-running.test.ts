import { afterAll, beforeAll, expect, test } from 'vitest';
import { Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

/**
 * Stored traces of a source: items of the table, objects of the bucket and schedules. Its metrics and the audit log of
 * its user expire later.
 */
async function tracesOf(id: string): Promise<string[]> {
  const { disk } = scene.cloud.cloud.open.services;
  const traces: string[] = [];
  for (const prefix of ['d/', 's/', 't/'])
    for await (const [key, text] of disk.entries(prefix))
      if ((key.includes(id) || text.includes(id)) && !/METRICS#|AUDIT#/.test(key)) traces.push(key);
  return traces;
}

/**
 * Runs that answer for themselves do not wait for the queue in which the purge is the last message: their events were
 * stored after it.
 */
test('a run that ends after its source was deleted and purged is answered, and leaves nothing behind', async () => {
  const gate = await scene.webhook();
  gate.receiver.respond = () => 'hang';
  const source = await scene.source(`export default {
    name: 'Slow', version: '0.0.1', props: { http: { type: '$.interface.http', customResponse: true }, db: '$.service.db' },
    async run({ body }) {
      this.db.set('n', 1);
      for (const size of [10, 10_000, 250_000]) this.$emit({ text: 'x'.repeat(size) }, { name: body.stream });
      for (const size of [10, 150_000]) this.$emit({ text: 'x'.repeat(size) }, { delivery_ts: Date.now() + 3_600_000 });
      console.log('about to end');
      if (body.waits) await fetch('${gate.receiver.url}').catch(() => undefined);
      this.http.respond({ status: 201 });
    },
  };`);
  expect((await scene.send(source.endpoint, { stream: 'before' })).status).toBe(201);
  const response = scene.send(source.endpoint, { stream: 'after', waits: true });
  await until('the run waits', () => gate.receiver.received.length > 0);
  expect((await tracesOf(source.id)).length).toBeGreaterThan(5);
  expect((await scene.api.delete(`/sources/${source.id}`)).status).toBe(204);
  await until('it is purged', async () => (await tracesOf(source.id)).length === 0);
  await gate.receiver.stop();
  expect((await response).status).toBe(201);
  await until('nothing is left', async () => (await tracesOf(source.id)).length === 0);
});
