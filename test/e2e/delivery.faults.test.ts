import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Receiver } from '../support/receiver.ts';
import { ECHO, type Hook, PASS, RELAY, Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

test('a delivery is the event as emitted, signed as Standard Webhooks says, with the headers of the decisions', async () => {
  const source = await scene.source(ECHO);
  const hook = await scene.webhook();
  await scene.subscribe(source.id, hook.id, 'größer $');
  const event = { b: 1, a: 'ü\u{1F600}', __proto__: undefined, nested: { '1': [null, 2.5] } };
  await scene.send(source.endpoint, { stream: 'größer $', event });
  const { received } = hook.receiver;
  await until('the delivery arrives', () => received.length >= 1);
  const [{ headers, body } = expect.fail('nothing was received')] = received;
  const [stored] = await scene.eventsOf(source.id, 1, { event_name: 'größer $' });

  expect(body).toBe(JSON.stringify(event));
  expect(() => new Webhook(hook.secret).verify(body, headers as Record<string, string>)).not.toThrow();
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-id': stored?.metadata.emit_id,
    'x-tributary-emitter': source.id,
    'x-tributary-event-name': 'gr%C3%B6%C3%9Fer%20$',
    'x-tributary-event-id': stored?.id,
  });
  expect(headers['user-agent']).toMatch(/^Tributary\/\d+\.\d+\.\d+/);
  expect(headers['webhook-timestamp']).toMatch(/^\d{10}$/);
  expect(headers['webhook-signature']).toMatch(/^v1,/);
});

test('listeners get the bare value of an event that is no object', async () => {
  const source = await scene.source(ECHO);
  const hook = await scene.webhook();
  const listening = await scene.source(PASS);
  await scene.subscribe(source.id, hook.id);
  await scene.subscribe(source.id, listening.id);
  await scene.send(source.endpoint, { event: ['a', 1, null] });
  await until('the delivery arrives', () => hook.receiver.received.length >= 1);
  expect(hook.receiver.bodies[0]).toEqual(['a', 1, null]);
  expect((await scene.eventsOf(source.id, 1))[0]?.event).toEqual({ raw_event: ['a', 1, null] });
  expect((await scene.eventsOf(listening.id, 1))[0]?.event).toEqual({ raw_event: ['a', 1, null] });
});

test('one event reaches one listener once, however many subscriptions match', async () => {
  const source = await scene.source(ECHO);
  const hook = await scene.webhook();
  await scene.subscribe(source.id, hook.id);
  await scene.subscribe(source.id, hook.id, 'default');
  await scene.subscribe('dc_*', hook.id);
  const other = await scene.webhook();
  await scene.subscribe(source.id, other.id);
  await scene.send(source.endpoint, { n: 1 });
  await scene.send(source.endpoint, { n: 2 });
  const counts = () => [1, 2].map((n) => hook.receiver.received.filter(({ body }) => body === `{"n":${n}}`));
  await until('both arrive', () => counts().every(({ length }) => length > 0));
  await until('both arrive at the other', () => other.receiver.received.length >= 2);
  // At least once: with fault injection the same delivery may come again, with the same id.
  for (const same of counts()) expect(new Set(same.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  if (scene.cloud.faults.counts['repeated-message'] === 0) expect(hook.receiver.received).toHaveLength(2);
  await scene.api.delete('/subscriptions', { emitter_id: 'dc_*', listener_id: hook.id });
});

/** Listeners are matched 200 at a time: the last of these come by a message of their own. */
test('an event reaches every one of its listeners, also when they are many', async () => {
  const source = await scene.source(ECHO);
  const { receiver } = await scene.webhook();
  const many = Array.from({ length: 201 }, (_, index) => String(index));
  await Promise.all(
    many.map(async (index) => {
      const query = { url: `${receiver.url}/${index}` };
      const { body } = await scene.api.post('/webhooks', undefined, { query });
      await scene.subscribe(source.id, body.data.id);
    }),
  );
  await scene.send(source.endpoint, { n: 1 });
  const reached = () => new Set(receiver.received.map(({ url }) => url.split('/').at(-1)));
  await until('all are reached', () => reached().size === many.length);
});

test('a subscription works from the moment its POST is answered, and no event after the response of its DELETE arrives', async () => {
  const source = await scene.source(ECHO);
  const hook = await scene.webhook();
  const control = await scene.webhook();
  await scene.subscribe(source.id, control.id);
  const numbers = ({ receiver }: Hook) => new Set(receiver.bodies.map((body) => (body as { n: number }).n));
  for (let round = 0; round < 5; round += 1) {
    const [within, after, later] = [3 * round, 3 * round + 1, 3 * round + 2];
    await scene.subscribe(source.id, hook.id);
    await scene.send(source.endpoint, { n: within });
    await until('it arrives', () => numbers(hook).has(within));
    const { status } = await scene.api.delete('/subscriptions', {
      emitter_id: source.id,
      listener_id: hook.id,
      event_name: '',
    });
    expect(status).toBe(204);
    for (const n of [after, later]) {
      await scene.send(source.endpoint, { n });
      await until('it was delivered to the other', () => numbers(control).has(n));
    }
    // Not at the end: a message that comes again finds the next subscription.
    expect(numbers(hook)).not.toContain(after);
    expect(numbers(hook)).not.toContain(later);
  }
});

test('a glob covers present and future emitters, not its own listener', async () => {
  const listener = await scene.source(PASS);
  const before = await scene.source(ECHO);
  await scene.subscribe('dc_*', listener.id);
  const after = await scene.source(ECHO);
  await scene.send(before.endpoint, { from: 'before' });
  await scene.send(after.endpoint, { from: 'after' });
  const events = await scene.eventsOf(listener.id, 2);
  expect(new Set(events.map(({ event }) => event.from))).toEqual(new Set(['before', 'after']));
  // Would it match its own listener, its events would have made more of them by now.
  const marker = await scene.source(ECHO);
  await scene.send(marker.endpoint, { from: 'marker' });
  await until('the marker arrived', async () =>
    (await scene.events(listener.id)).some(({ event }) => event.from === 'marker'),
  );
  expect(new Set((await scene.events(listener.id)).map(({ metadata }) => metadata.emit_id)).size).toBe(3);
  await scene.api.delete('/subscriptions', { emitter_id: 'dc_*', listener_id: listener.id });
});

test('sources listen to sources, and a chain is cut after 16 hops with an $errors event', async () => {
  const chain = await Promise.all(Array.from({ length: 18 }, (_, n) => scene.source(n % 6 === 0 ? PASS : RELAY)));
  for (const [index, { id }] of chain.entries()) {
    const next = chain[index + 1];
    if (next) await scene.subscribe(id, next.id);
  }
  const first = chain[0]?.id ?? '';
  expect((await scene.api.post(`/sources/${first}/run`, { hello: 1 })).status).toBe(200);
  await scene.eventsOf(chain[16]?.id ?? '', 1);
  const errors = await until('an $errors event of the hop limit', async () => {
    const all = await Promise.all([16, 17].map((at) => scene.events(chain[at]?.id ?? '', { event_name: '$errors' })));
    return all.flat().some(({ event }) => event.error.code === 'hop_limit') && all.flat();
  });
  expect(errors.length).toBeGreaterThan(0);
  expect(await scene.events(chain[17]?.id ?? '')).toEqual([]);
});

test('an exact self-subscription is allowed and ends at the hop limit', async () => {
  const source = await scene.source(PASS);
  await scene.subscribe(source.id, source.id);
  await scene.api.post(`/sources/${source.id}/run`, { n: 1 });
  const [error] = await scene.errorsOf(source.id);
  expect(error?.event.error.code).toBe('hop_limit');
  expect(await scene.events(source.id)).toHaveLength(2);
});

test('two sources that listen to each other and emit twice make a bounded number of runs from one request', async () => {
  const TWICE = `export default { name: 'Twice', version: '0.0.1',
    run(event) { this.$emit({ ...event, is: 'first' }); this.$emit({ ...event, is: 'second' }); } };`;
  const [one, two] = [await scene.source(TWICE), await scene.source(TWICE)];
  await scene.subscribe(one.id, two.id);
  await scene.subscribe(two.id, one.id);
  await scene.api.post(`/sources/${one.id}/run`, { n: 1 });
  // Runs: 1 + 2 + 4 + 8. Each of the last eight runs emits two events that would reach the first source a third time.
  const errors = await scene.eventsOf(one.id, 16, { event_name: '$errors' });
  expect(new Set(errors.map(({ event }) => event.error.code))).toEqual(new Set(['hop_limit']));
  expect(errors[0]?.event.error.message).toContain(`reached ${one.id} a third time`);
  expect(errors[0]?.event.original_event).toMatchObject({ n: 1 });
  const distinct = async (id: string) => new Set((await scene.events(id)).map(({ metadata }) => metadata.emit_id)).size;
  expect([await distinct(one.id), await distinct(two.id)]).toEqual([2 + 8, 4 + 16]);
  // Another request begins another chain.
  expect((await scene.api.post(`/sources/${one.id}/run`, { n: 2 })).status).toBe(200);
  await until('the second request ran', async () => (await distinct(one.id)) === 2 * (2 + 8));
});

test('$errors and $logs are streams that one can subscribe to', async () => {
  const source = await scene.source(`export default { name: 'F', version: '1', props: { http: '$.interface.http' },
    run() { console.log('before'); throw Object.assign(new Error('no'), { code: 'E_NO' }); } }`);
  const [errors, logs] = [await scene.webhook(), await scene.webhook()];
  await scene.subscribe(source.id, errors.id, '$errors');
  await scene.subscribe(source.id, logs.id, '$logs');
  await scene.send(source.endpoint, { a: 1 });
  await until('both arrive', () => errors.receiver.received.length > 0 && logs.receiver.received.length > 0);
  expect(errors.receiver.bodies[0]).toMatchObject({
    original_event: { method: 'POST', path: '/', body: { a: 1 } },
    original_context: {
      source_type: 'http',
      verified: false,
      source_id: source.id,
      workflow_id: '',
      deployment_id: '',
    },
    error: { code: 'E_NO', cellId: '' },
  });
  expect(errors.receiver.received[0]?.headers['x-tributary-event-name']).toBe('$errors');
  const { lines } = logs.receiver.bodies[0] as {
    lines: { k: string; msg?: string; err?: { message: string } }[];
  };
  expect(lines[0]).toMatchObject({ k: 'console.log', msg: 'before' });
  expect(lines[1]).toMatchObject({ k: 'error', err: { message: 'no' } });
});

test('an auto-subscription covers emitters made after it, from what their deploy hook emits on, and none made before', async () => {
  const earlier = await scene.source(ECHO);
  const hook = await scene.webhook();
  const query = { event_name: 'default', listener_id: hook.id };
  const first = await scene.api.post('/auto_subscriptions', undefined, { query });
  const again = await scene.api.post('/auto_subscriptions', undefined, { query });
  expect(first.body.data).toMatchObject({ id: expect.stringMatching(/^asub_/), ...query });
  expect(again.body).toEqual(first.body);
  await scene.send(earlier.endpoint, { from: 'earlier' });
  const later = await scene.source(
    `export default { name: 'D', version: '1', hooks: { deploy() { this.$emit({ from: 'deploy' }); } }, run() {} }`,
  );
  await until('the emit of deploy arrives', () => hook.receiver.received.length > 0);
  expect(hook.receiver.bodies[0]).toEqual({ from: 'deploy' });
  expect(hook.receiver.received[0]?.headers['x-tributary-emitter']).toBe(later.id);
  const { body } = await scene.api.get('/users/me/subscriptions');
  expect(body.data).toContainEqual(
    expect.objectContaining({ emitter_id: later.id, listener_id: hook.id, event_name: 'default' }),
  );
  expect((await scene.api.delete('/auto_subscriptions', query)).status).toBe(204);
  expect((await scene.api.get('/users/me/auto_subscriptions')).body.data).toEqual([]);
});

test('a webhook that hangs slows no other', async () => {
  const source = await scene.source(ECHO);
  const hanging = await scene.webhook();
  hanging.receiver.respond = () => 'hang';
  const hook = await scene.webhook();
  await scene.subscribe(source.id, hanging.id);
  await scene.subscribe(source.id, hook.id);
  for (let n = 0; n < 3; n += 1) {
    let hasHungUp: boolean | undefined;
    hook.receiver.onReceived = () => (hasHungUp = hanging.receiver.received[n]?.isClosed);
    await scene.send(source.endpoint, { n });
    await until('it arrives', () => hook.receiver.received.length > n);
    expect(hasHungUp, 'it arrived only after the attempt at the other was given up').not.toBe(true);
  }
  expect(hanging.receiver.received.length).toBeGreaterThan(0);
});

test('redirects are not followed', async () => {
  const source = await scene.source(ECHO);
  const target = await Receiver.start();
  const redirecting = await scene.webhook();
  redirecting.receiver.respond = () => ({ status: 302, headers: { location: target.url } });
  await scene.subscribe(source.id, redirecting.id);
  await scene.send(source.endpoint, { n: 1 });
  await until('it failed', async () => {
    const { data } = (await scene.api.get(`/webhooks/${redirecting.id}/deliveries`)).body;
    return data[0]?.status === 'retrying';
  });
  expect(target.received).toEqual([]);
  await target.stop();
});
