import { afterAll, beforeAll, expect, test } from 'vitest';
import { ECHO, PASS, Scene } from '../support/scene.ts';
import { aWorkflow } from '../support/stores.ts';
import { until } from '../support/until.ts';
import type { Receiver } from '../support/receiver.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${TRACE}-00f067aa0ba902b7-01`;

/** Version, trace-id, parent-id and flags of every request. */
const tracesOf = ({ received }: Receiver) => received.map(({ headers }) => String(headers['traceparent']).split('-'));
const idsOf = (receiver: Receiver) => new Set(tracesOf(receiver).map(([, id]) => id));

async function received(receiver: Receiver, count: number): Promise<void> {
  await until(`${count} deliveries`, () => receiver.received.length >= count);
}

test("deliveries carry the trace of the request, along chains and in every attempt, with a parent-id of each attempt's own", async () => {
  const [first, second] = [await scene.source(ECHO), await scene.source(PASS, { name: 'second' })];
  const [one, two] = [await scene.webhook(), await scene.webhook()];
  await scene.subscribe(first.id, second.id);
  await scene.subscribe(first.id, one.id);
  await scene.subscribe(second.id, two.id);
  one.receiver.respond = (index) => ({ status: index === 0 ? 500 : 200 });

  await fetch(first.endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', traceparent, tracestate: 'vendor=1, other=2' },
    body: '{}',
  });
  await received(one.receiver, 2);
  await received(two.receiver, 1);

  expect([...idsOf(one.receiver), ...idsOf(two.receiver)]).toEqual([TRACE, TRACE]);
  const parents = [...tracesOf(one.receiver), ...tracesOf(two.receiver)].map(([, , parent]) => parent);
  expect(new Set([...parents, '00f067aa0ba902b7']).size).toBe(parents.length + 1);
  for (const { headers } of [...one.receiver.received, ...two.receiver.received])
    expect(headers['tracestate']).toBe('vendor=1,other=2');
});

test('a run whose request had no valid trace begins one, which all its deliveries share and no other run has', async () => {
  const source = await scene.source(
    `export default { name: 'Two', version: '1', props: { http: '$.interface.http' }, run() { this.$emit({ n: 1 }); this.$emit({ n: 2 }); } };`,
  );
  const { id, receiver } = await scene.webhook();
  await scene.subscribe(source.id, id);
  for (const invalid of ['nonsense', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`]) {
    await fetch(source.endpoint, { method: 'POST', headers: { traceparent: invalid, tracestate: 'a=1' } });
  }
  await received(receiver, 4);

  const counts = [...idsOf(receiver)].map((own) => tracesOf(receiver).filter(([, id]) => id === own).length);
  expect(counts.length).toBe(2);
  for (const { headers } of receiver.received) {
    expect(headers['traceparent']).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/);
    expect(headers['tracestate']).toBeUndefined();
  }
});

test('the trace of an API request and of a workflow is carried, too', async () => {
  const source = await scene.source(PASS, { name: 'by api' });
  const { id: ownerId } = (await scene.api.get('/users/me')).body.data;
  const workflow = await aWorkflow(scene.cloud, ownerId);
  const { id, receiver } = await scene.webhook();
  for (const emitter of [source.id, workflow.id]) await scene.subscribe(emitter, id);

  const post = (url: string, key: string) =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, traceparent },
      body: '{"n":1}',
    });
  const ingress = new URL((await scene.source(ECHO, { name: 'ingress' })).endpoint).origin;
  const statuses = [
    (await post(`${scene.cloud.base}/sources/${source.id}/run`, scene.cloud.key)).status,
    (await post(`${ingress}/workflows/${workflow.id}/emits`, workflow.credential)).status,
  ];
  expect(statuses).toEqual([200, 200]);
  await received(receiver, 2);
  expect(idsOf(receiver)).toEqual(new Set([TRACE]));
});

test('a redelivery continues the trace, also of a delivery that succeeded at once', async () => {
  const source = await scene.source(ECHO, { name: 'redelivered' });
  const { id, receiver } = await scene.webhook();
  await scene.subscribe(source.id, id);
  await fetch(source.endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', traceparent, tracestate: 'vendor=1' },
    body: '{}',
  });
  await received(receiver, 1);
  const [delivery] = await until('the delivery is listed', async () => {
    const { data } = (await scene.api.get(`/webhooks/${id}/deliveries`)).body;
    return data.length > 0 && data;
  });
  await scene.api.post(`/webhooks/${id}/deliveries/${delivery.id}/redeliver`);
  await received(receiver, 2);
  expect(idsOf(receiver)).toEqual(new Set([TRACE]));
  expect(receiver.received.map(({ headers }) => headers['tracestate'])).toEqual(['vendor=1', 'vendor=1']);
});
