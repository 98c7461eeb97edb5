import { afterAll, beforeAll, expect, test } from 'vitest';
import { aWorkflow, aUser } from '../support/stores.ts';
import { ECHO, type Hook, PASS, Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

const subscribe = async (emitter: string, listener: string, filter?: object) => {
  const body = { emitter_id: emitter, listener_id: listener, ...(filter ? { filter } : {}) };
  const { status, text } = await scene.api.post('/subscriptions', body);
  if (status !== 200) throw new Error(text);
};
const paid = { type: ['paid'] };
const isSettled = async () => !scene.isBusy() && (await scene.isThrough());
/** The events that arrived, in the order of their first arrival: deliveries may be repeated. */
const arrived = ({ receiver }: Hook): unknown[] => {
  const first = new Map<unknown, unknown>();
  for (const { headers, body } of receiver.received.toReversed()) first.set(headers['webhook-id'], JSON.parse(body));
  return [...first.values()].reverse();
};
const received = async (hook: Hook, count: number) => {
  await until(`${count} deliveries`, async () => arrived(hook).length >= count && (await isSettled()));
  return arrived(hook);
};

test('an event reaches the listeners whose filter it passes, and those without one', async () => {
  const source = await scene.source(ECHO);
  const [some, all, none] = [await scene.webhook(), await scene.webhook(), await scene.webhook()];
  const listening = await scene.source(PASS);
  await subscribe(source.id, some.id, paid);
  await subscribe(source.id, all.id);
  await subscribe(source.id, none.id, { type: ['lost'] });
  await subscribe(source.id, listening.id, { n: [{ numeric: ['>=', 2] }] });
  for (const event of [
    { type: 'paid', n: 1 },
    { type: 'new', n: 2 },
  ])
    await scene.send(source.endpoint, event);
  expect(await received(all, 2)).toHaveLength(2);
  expect(await received(some, 1)).toEqual([{ type: 'paid', n: 1 }]);
  expect(none.receiver.received).toEqual([]);
  expect((await scene.eventsOf(listening.id, 1)).map(({ event }) => event)).toEqual([{ type: 'new', n: 2 }]);
});

test('an event reaches a listener when any matching subscription accepts it, exact or glob, and once', async () => {
  const source = await scene.source(ECHO);
  const either = await scene.webhook();
  const open = await scene.webhook();
  await subscribe(source.id, either.id, paid);
  await subscribe('dc_*', either.id, { n: [3] });
  await subscribe(source.id, open.id, { type: ['lost'] });
  await subscribe('dc_*', open.id);
  for (const event of [
    { type: 'paid', n: 1 },
    { type: 'new', n: 2 },
    { type: 'paid', n: 3 },
  ])
    await scene.send(source.endpoint, event);
  expect(await received(open, 3)).toHaveLength(3);
  const ns = (await received(either, 2)).map((event) => (event as { n: number }).n);
  expect(ns.sort()).toEqual([1, 3]);
});

test('a filter sees raw_event, and events of any size whole', async () => {
  const source = await scene.source(ECHO);
  const [raw, large] = [await scene.webhook(), await scene.webhook()];
  await subscribe(source.id, raw.id, { raw_event: ['bare'] });
  await subscribe(source.id, large.id, { last: ['here'] });
  await scene.send(source.endpoint, { event: 'bare' });
  await scene.send(source.endpoint, { event: { text: 'x'.repeat(300_000), last: 'here' } });
  expect(await received(raw, 1)).toEqual(['bare']);
  expect(await received(large, 1)).toMatchObject([{ last: 'here' }]);
  expect(arrived(raw)).toHaveLength(1);
});

test('a changed filter holds for the events emitted after the answer', async () => {
  const source = await scene.source(ECHO);
  const hook = await scene.webhook();
  await subscribe(source.id, hook.id, paid);
  await subscribe(source.id, hook.id, { type: ['new'] });
  await scene.send(source.endpoint, { type: 'paid' });
  await scene.send(source.endpoint, { type: 'new' });
  expect(await received(hook, 1)).toEqual([{ type: 'new' }]);
  await subscribe(source.id, hook.id);
  await scene.send(source.endpoint, { type: 'paid' });
  expect(await received(hook, 2)).toEqual([{ type: 'new' }, { type: 'paid' }]);
});

test("a workflow's emit is filtered as its summaries show it", async () => {
  const user = await aUser(scene.cloud);
  const api = scene.api.as(user.key);
  const { id, credential } = await aWorkflow(scene.cloud, user.id);
  const hook = await scene.webhook();
  const { body } = await api.post('/webhooks', { url: hook.receiver.url });
  const filter = { raw_event: { kind: ['kept'] } };
  await api.post('/subscriptions', { emitter_id: id, listener_id: body.data.id, filter });
  for (const kind of ['dropped', 'kept']) {
    await fetch(`${scene.cloud.ingress}/workflows/${id}/emits`, {
      method: 'POST',
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      body: JSON.stringify({ kind }),
    });
  }
  expect(await received(hook, 1)).toEqual([{ kind: 'kept' }]);
});
