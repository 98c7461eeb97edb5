import { afterAll, beforeAll, expect, test } from 'vitest';
import { SourceId } from '../../shared/domain/id.ts';
import { sourceStore } from '../../shared/store/emitters/sources.ts';
import { Scene } from '../support/scene.ts';
import { tableOf } from '../support/stores.ts';
import { until } from '../support/until.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

const CODE = `export default {
  name: 'Orders', key: 'orders', version: '0.0.1', props: { http: '$.interface.http' },
  run(event) { this.$emit({ n: (event.body ?? event).n }); },
};`;

test('the triggers that wait for a source are dropped on request: each is skipped, one event says how many, later ones run', async () => {
  const { api } = scene;
  const source = await scene.source(CODE);
  const path = `/sources/${source.id}`;
  const sources = sourceStore(tableOf(scene.cloud));
  const id = SourceId.parse(source.id);
  const waiting = async () => (await api.get(path)).body.data.waiting as number;
  const run = async (n: number) => (await api.post(`${path}/run`, { n })).body.data.id as string;
  // Its triggers wait in the backlog, as those of a source that has been behind for a minute.
  await sources.setSuspension(id, { since: 0 });
  const dropped = [await run(0), await run(1), await run(2)];
  await until('three triggers wait', async () => (await waiting()) === 3);

  const response = await api.delete(`${path}/triggers`);
  expect([response.status, response.body]).toEqual([202, { data: {} }]);
  await until('nothing waits', async () => {
    const { body } = await api.get(path);
    return body.data.waiting === 0 && body.data.oldest_waiting_ms === null;
  });
  for (const trigger of dropped)
    expect((await api.get(`${path}/runs/${trigger}`)).body.data).toMatchObject({
      state: 'skipped',
      started_at_ms: null,
      emitted: 0,
      error: null,
    });
  const errors = await scene.errorsOf(source.id);
  expect(errors.map(({ event }) => (event as unknown as { error: object }).error)).toEqual([
    expect.objectContaining({ code: 'triggers_dropped', message: expect.stringMatching(/: 3$/) as string }),
  ]);

  await sources.setSuspension(id, undefined);
  // An update wakes the backlog up, as the end of a suspension by the operator does.
  expect((await api.put(path, { component_code: `${CODE}\n` })).status).toBe(200);
  const later = await run(3);
  await until(
    'the later trigger ran',
    async () => (await api.get(`${path}/runs/${later}`)).body.data?.state === 'done',
  );
  expect((await scene.events(source.id)).map(({ event }) => event.n)).toEqual([3]);
});

test('DELETE of the triggers of a source that is not yours, or that is none, is 404', async () => {
  const other = await scene.source(CODE);
  await scene.api.delete(`/sources/${other.id}`);
  for (const id of [other.id, 'dc_000000000000000000000000'])
    expect((await scene.api.delete(`/sources/${id}/triggers`)).status).toBe(404);
});
