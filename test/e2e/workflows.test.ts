import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operator } from '../support/operator.ts';
import { Receiver } from '../support/receiver.ts';
import { ECHO, PASS, Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

interface Registered {
  id: string;
  ingest_url: string;
  credential: string;
  secret: string;
}

let scene: Scene;
let target: Receiver;
let owner: string;
let run: ReturnType<typeof operator>;
beforeAll(async () => {
  scene = await Scene.open();
  target = await Receiver.start();
  run = operator(scene.cloud);
  owner = (await scene.api.get('/users/me')).body.data.id;
});
afterAll(async () => {
  await scene.close();
  await target.stop();
});

const register = (name = 'Flow') => run<Registered>('workflows register', { owner, name, target: target.url });
const report = (workflow: Registered, path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${workflow.ingest_url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${workflow.credential}`,
      'content-type': 'application/json',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

test('a workflow may emit a large event, which is readable whole', async () => {
  const workflow = await register('Large');
  const text = 'x'.repeat(300_000);
  expect((await report(workflow, '/emits', { text })).status).toBe(200);
  const [event] = await scene.eventsOf(workflow.id, 1, { expand: 'event' });
  expect(event?.event).toEqual({ raw_event: { text } });
});

test('an event of a workflow is readable as raw_event, and its listeners get it unwrapped', async () => {
  const workflow = await register();
  expect(workflow).toMatchObject({
    id: expect.stringMatching(/^p_/),
    secret: expect.stringMatching(/^whsec_/),
    ingest_url: `${scene.cloud.ingress}/workflows/${workflow.id}`,
  });
  const hook = await scene.webhook();
  const listening = await scene.source(PASS);
  await scene.subscribe(workflow.id, hook.id);
  await scene.subscribe('p_*', listening.id);
  const response = await report(workflow, '/emits', { total: 3 });
  expect([response.status, await response.json()]).toEqual([200, { data: { id: expect.any(String) } }]);
  const [event] = await scene.eventsOf(workflow.id, 1);
  expect(event).toMatchObject({
    event: { raw_event: { total: 3 } },
    metadata: { name: '', emitter_id: workflow.id },
  });
  await until('it is delivered', () => hook.receiver.received.length > 0);
  expect(hook.receiver.bodies[0]).toEqual({ total: 3 });
  const { body: whole } = await until('its delivery is logged', async () => {
    const shown = await scene.api.get(`/workflows/${workflow.id}/events/${event?.id}`);
    return shown.body.data.deliveries.length > 0 && shown;
  });
  expect(whole.data).toMatchObject({
    id: event?.id,
    event: { raw_event: { total: 3 } },
    trigger_id: expect.stringMatching(/^emits-/),
    deliveries: [{ webhook_id: hook.id, status: 'delivered', attempts: 1 }],
  });
  expect((await scene.eventsOf(listening.id, 1))[0]?.event).toEqual({ total: 3 });
  await report(workflow, '/emits?event_name=other', { total: 4 });
  expect((await scene.eventsOf(workflow.id, 1, { event_name: 'other' }))[0]?.event).toEqual({
    raw_event: { total: 4 },
  });
});

test('its errors are readable on $errors, filled in as the decisions say', async () => {
  const workflow = await register();
  const response = await report(workflow, '/errors', {
    original_event: { n: 1 },
    original_context: { source_type: 'COMPONENT', verified: true },
    error: { code: 'Oops', stack: 'Error: Oops\n  at step', cellId: 'c_1' },
  });
  expect(response.status).toBe(200);
  const [summary] = await until('the error is readable', async () => {
    const { body } = await scene.api.get(`/workflows/${workflow.id}/$errors/event_summaries`, {
      expand: 'event',
    });
    return body.data.length > 0 && body.data;
  });
  expect(summary.event).toMatchObject({
    original_event: { n: 1 },
    original_context: {
      workflow_id: workflow.id,
      owner_id: owner,
      deployment_id: '',
      source_type: 'COMPONENT',
      verified: true,
      id: expect.stringMatching(/./),
      ts: expect.stringMatching(/Z$/),
      platform_version: expect.stringMatching(/./),
    },
    error: { code: 'Oops', cellId: 'c_1', stack: 'Error: Oops\n  at step', ts: expect.stringMatching(/Z$/) },
  });
  expect(summary.metadata.name).toBe('$errors');
  const { body } = await scene.api.get(`/workflows/${workflow.id}/$errors/events/${summary.id}`);
  expect(body.data).toEqual({
    ...summary,
    trigger_id: expect.stringMatching(/^errors-/) as string,
    deliveries: [],
  });
  expect(await scene.events(workflow.id)).toEqual([]);
});

test('an error whose fields are not of the types of interface 2.6 is 400 and names the field; times are ISO 8601', async () => {
  const workflow = await register();
  const error = { code: 'Oops', stack: 'Error: Oops' };
  const event = { original_event: {} };
  for (const [body, path] of [
    [{ error }, 'original_event'],
    [event, 'error'],
    [{ ...event, error: { stack: '' } }, 'error.code'],
    [{ ...event, error: { code: 5, stack: '' } }, 'error.code'],
    [{ ...event, error: { code: '' } }, 'error.stack'],
    [{ ...event, error: { ...error, cellId: 5 } }, 'error.cellId'],
    [{ ...event, error: { ...error, ts: 'x' } }, 'error.ts'],
    [{ ...event, error: { ...error, ts: 1_700_000_000_000 } }, 'error.ts'],
    [{ ...event, error, original_context: [] }, 'original_context'],
    [{ ...event, error, original_context: { ts: 'Sat Mar 01 2031' } }, 'original_context.ts'],
    [{ ...event, error, original_context: { verified: 'yes' } }, 'original_context.verified'],
    ...['id', 'deployment_id', 'source_type', 'platform_version'].map((field) => [
      { ...event, error, original_context: { [field]: 5 } },
      `original_context.${field}`,
    ]),
  ] as const) {
    const response = await report(workflow, '/errors', body);
    const { code, details } = (await response.json()) as { code: string; details: { path: string }[] };
    expect([response.status, code, details.map((detail) => detail.path)]).toEqual([400, 'invalid_request', [path]]);
  }
  const ts = '2031-03-01T13:00:00.123456+01:00';
  const fine = { ...event, error: { ...error, ts }, original_context: { ts: '2031-03-01T12:00:00Z' } };
  expect((await report(workflow, '/errors', fine)).status).toBe(200);
});

test('the same Idempotency-Key within 24 h gets the same response and makes one event, also in concurrent requests', async () => {
  const workflow = await register();
  const key = { 'idempotency-key': 'order-1' };
  const responses = await Promise.all(Array.from({ length: 5 }, () => report(workflow, '/emits', { n: 1 }, key)));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(await Promise.all(responses.map((response) => response.text()))).size).toBe(1);
  await report(workflow, '/emits', { n: 2 }, { 'idempotency-key': 'order-2' });
  await until('the second is there', async () =>
    (await scene.events(workflow.id)).some(({ event }) => event.raw_event.n === 2),
  );
  expect((await scene.events(workflow.id)).map(({ event }) => event.raw_event.n)).toEqual([2, 1]);
});

test('without its credential 401, with broken JSON 400, without JSON 415, beyond 1 MiB 413', async () => {
  const [workflow, other] = [await register(), await register()];
  expect((await report(workflow, '/emits', {}, { authorization: `Bearer ${other.credential}` })).status).toBe(401);
  expect((await report(workflow, '/emits', {}, { authorization: `Bearer ${scene.cloud.key}` })).status).toBe(401);
  expect((await fetch(`${workflow.ingest_url}/emits`, { method: 'POST' })).status).toBe(401);
  expect((await report(workflow, '/emits', '{')).status).toBe(400);
  expect((await report(workflow, '/errors', { error: 5 })).status).toBe(400);
  expect(
    (await report(workflow, '/emits', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' })).status,
  ).toBe(415);
  expect((await report(workflow, '/emits', { text: 'x'.repeat(2 ** 20) })).status).toBe(413);
  const headers = (await report(workflow, '/emits', '{')).headers;
  expect(headers.get('x-request-id')).toBeTruthy();
});

test('the query of a report is read as elsewhere: include and exclude choose fields, parameters come once', async () => {
  const workflow = await register();
  const respond = async (query: string) => {
    const response = await report(workflow, `/emits?${query}`, { include: 'nothing' });
    const { data, code } = (await response.json()) as { data?: object; code?: string };
    return data ? Object.keys(data) : code;
  };
  expect(await respond('include=id,other')).toEqual(['id']);
  expect(await respond('include=other')).toEqual([]);
  expect(await respond('exclude=id')).toEqual([]);
  expect(await respond('event_name=a&event_name=b')).toBe('invalid_request');
  expect(await respond('event_name=%zz')).toBe('invalid_request');
});

test('delivery to a workflow is a signed POST to its target', async () => {
  const workflow = await register();
  const source = await scene.source(ECHO);
  await scene.subscribe(source.id, workflow.id);
  const before = target.received.length;
  await scene.send(source.endpoint, { to: 'workflow' });
  await until('it arrives', () => target.received.length > before);
  const { body, headers } = target.received[before] ?? expect.fail();
  expect(body).toBe('{"to":"workflow"}');
  expect(() => new Webhook(workflow.secret).verify(body, headers as Record<string, string>)).not.toThrow();
  expect(headers['x-tributary-emitter']).toBe(source.id);
});

test('an event that a workflow target refuses is delivered by a later attempt', async () => {
  const [source, refusing] = [await scene.source(ECHO), await Receiver.start()];
  refusing.respond = (index) => ({ status: index === 0 ? 503 : 200 });
  const flow = await run<Registered>('workflows register', { owner, name: 'Refuses', target: refusing.url });
  await scene.subscribe(source.id, flow.id);
  await scene.send(source.endpoint, { n: 1 });
  await until('it comes again', () => refusing.received.length === 2);
  expect(refusing.bodies).toEqual([{ n: 1 }, { n: 1 }]);
  await refusing.stop();
});

test('registering applies auto-subscriptions; a deleted workflow is gone, with its subscriptions', async () => {
  const hook = await scene.webhook();
  await scene.api.post('/auto_subscriptions', undefined, {
    query: { event_name: 'default', listener_id: hook.id },
  });
  const workflow = await register();
  const mine = async () =>
    (await scene.api.get('/users/me/subscriptions')).body.data.filter(
      ({ emitter_id }: { emitter_id: string }) => emitter_id === workflow.id,
    );
  expect(await mine()).toEqual([expect.objectContaining({ listener_id: hook.id, event_name: 'default' })]);
  await run('workflows delete', { workflow: workflow.id });
  expect((await scene.api.get(`/workflows/${workflow.id}/event_summaries`)).status).toBe(404);
  expect((await report(workflow, '/emits', {})).status).toBeGreaterThanOrEqual(401);
  await until('its subscriptions are gone', async () => (await mine()).length === 0);
  await scene.api.delete('/auto_subscriptions', { event_name: 'default', listener_id: hook.id });
});
