import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { SourceId } from '../../shared/domain/id.ts';
import { sourceStore } from '../../shared/store/emitters/sources.ts';
import { PrometheusPage } from '../support/prometheus-text.ts';
import { Scene } from '../support/scene.ts';
import { tableOf } from '../support/stores.ts';
import { until } from '../support/until.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

/** Whether so many triggers of all sources wait. With injected faults two instances count for themselves. */
async function isWaitingInAll(count: number): Promise<boolean> {
  if (inject('faults') === 'injected') return true;
  const headers = { authorization: `Bearer ${scene.cloud.key}` };
  const response = await fetch(`${scene.cloud.origin}/metrics`, { headers });
  return new PrometheusPage(await response.text()).value('tributary_waiting_triggers') === count;
}

const version = (v: number) => `export default {
  name: 'Versions', key: 'versions', version: '0.0.${v}', props: { http: '$.interface.http' },
  run(event) { this.$emit({ v: ${v}, n: (event.body ?? event).n }); },
};`;

test('a source that is behind refuses nothing, and updates of it come before all that waits, which then runs with the new code', async () => {
  const source = await scene.source(version(1));
  const sources = sourceStore(tableOf(scene.cloud));
  const id = SourceId.parse(source.id);
  // Its triggers wait in the backlog, as those of a source that has been behind for a minute.
  await sources.setSuspension(id, { since: 0 });
  const waiting = async () => (await scene.api.get(`/sources/${source.id}`)).body.data.waiting as number;
  const run = async (n: number) => (await scene.api.post(`/sources/${source.id}/run`, { n })).status;
  expect(await run(0)).toBe(200);
  await until('the first trigger waits', async () => (await waiting()) === 1);
  expect(await run(1)).toBe(200);
  const requests = [{ n: 2 }, { n: 3 }, { n: 4, text: 'x'.repeat(6_000) }];
  const responses = await Promise.all(requests.map((request) => scene.send(source.endpoint, request)));
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  await until('all triggers wait', async () => (await waiting()) === 5);
  await until('the metrics have all triggers that wait', () => isWaitingInAll(5));

  await sources.setSuspension(id, undefined);
  for (const v of [2, 3])
    expect((await scene.api.put(`/sources/${source.id}`, { component_code: version(v) })).status).toBe(200);
  const events = await until('all have run', async () => {
    const found = await scene.events(source.id);
    return found.length === 5 && found;
  });
  expect(events.map(({ event }) => event.n as number).sort()).toEqual([0, 1, 2, 3, 4]);
  expect(events.every(({ event }) => event.v >= 2)).toBe(true);
  await until('nothing waits', async () => (await waiting()) === 0);
  await until('the metrics have no trigger that waits', () => isWaitingInAll(0));
});
