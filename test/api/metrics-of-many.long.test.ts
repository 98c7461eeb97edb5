import { expect, onTestFinished, test } from 'vitest';
import { PrometheusPage } from '../support/prometheus-text.ts';
import { RELAY, Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

const SOURCES = 1_000;

test('1,000 sources with an event each add no line to the page', async () => {
  const scene = await Scene.open();
  onTestFinished(() => scene.close());
  const text = async () => {
    const headers = { authorization: `Bearer ${scene.cloud.key}` };
    return (await fetch(`${scene.cloud.origin}/metrics`, { headers })).text();
  };
  const before = (await text()).split('\n').length;
  for (let n = 0; n < SOURCES; n += 20)
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const { id } = await scene.source(RELAY);
        expect((await scene.api.post(`/sources/${id}/run`, { n })).status).toBe(200);
      }),
    );
  const after = await until('all events are counted', async () => {
    const now = await text();
    return new PrometheusPage(now).value('tributary_events_total') === SOURCES && now;
  });
  expect(after.split('\n')).toHaveLength(before);
});
