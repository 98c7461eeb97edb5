import { afterAll, beforeAll, expect, test } from 'vitest';
import { UserId, WebhookId, WorkflowId } from '../../../shared/domain/id.ts';
import { echoComponent } from '../../support/components.ts';
import { Receiver } from '../../support/receiver.ts';
import { deployed, Scene } from '../../support/scene.ts';
import { until } from '../../support/until.ts';
import { type OperatorAtWork, operatorThroughSocket } from './operator-of.ts';

let scene: Scene;
let admin: OperatorAtWork;
let receivers: Record<'webhook' | 'workflow', Receiver>;
beforeAll(async () => {
  scene = await Scene.open();
  admin = await operatorThroughSocket(scene.cloud);
  receivers = { webhook: await Receiver.start(), workflow: await Receiver.start() };
});
afterAll(async () => {
  await admin.close();
  await scene.close();
  await Promise.all(Object.values(receivers).map((receiver) => receiver.stop()));
});

test('a suspended user does nothing; resumed, it goes on with what arrived meanwhile', async () => {
  const { json } = await admin.run(['users', 'create', '--username', 'ann', '--email', 'ann@localhost']);
  const { id, api_key: key } = json as { id: string; api_key: string };
  const api = scene.api.as(key);
  const { body: hook } = await api.post('/webhooks', undefined, { query: { url: receivers.webhook.url } });
  const source = deployed((await api.post('/sources', { component_code: echoComponent() })).body.data);
  const target = ['--name', 'flow', '--target', receivers.workflow.url];
  const flow = (await admin.run(['workflows', 'register', '--owner', id, ...target])).json as {
    id: string;
    ingest_url: string;
    credential: string;
  };
  for (const listener of [hook.data.id as string, flow.id])
    await api.post('/subscriptions', undefined, { query: { emitter_id: source.id, listener_id: listener } });
  await api.post('/subscriptions', undefined, { query: { emitter_id: flow.id, listener_id: hook.data.id } });
  await scene.send(source.endpoint, { n: 1 });
  await until('the first event is delivered', () =>
    Promise.resolve(Object.values(receivers).every(({ received }) => received.length === 1)),
  );

  await admin.run(['users', 'suspend', '--user', id]);
  expect((await admin.run(['users', 'list'])).json).toContainEqual(
    expect.objectContaining({ id, suspended_at: expect.any(Number) as number }),
  );
  const fresh = (await admin.run(['users', 'rotate-key', '--user', id])).json as { api_key: string };
  const refused = await scene.api.as(fresh.api_key).get('/users/me');
  expect([refused.status, refused.body.code]).toEqual([403, 'suspended']);

  await scene.send(source.endpoint, { n: 2 });
  expect((await scene.send(source.endpoint, { n: 3 })).status).toBe(200);
  const reported = await fetch(`${flow.ingest_url}/emits`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${flow.credential}` },
    body: '{"n":4}',
  });
  expect(reported.status).toBe(200);
  const held = () => admin.operator.waitingAndHeldDeliveries.heldCount(WebhookId.parse(hook.data.id), Date.now());
  await until('the delivery of the emit is held', async () => (await held()) === 1);
  await until('the triggers are kept', scene.isThrough);
  expect(Object.values(receivers).map(({ received }) => received.length)).toEqual([1, 1]);

  expect((await admin.run(['users', 'resume', '--user', id])).json).toEqual({
    id,
    triggers: 2,
    deliveries: 1,
  });
  await until('everything is delivered', () =>
    Promise.resolve(receivers.webhook.received.length === 4 && receivers.workflow.received.length === 3),
  );
  const sorted = receivers.webhook.bodies.map((body) => JSON.stringify(body)).sort();
  expect(sorted.map((text) => /"n":(\d)/.exec(text)?.[1])).toEqual(['1', '2', '3', '4']);
  expect((await scene.api.as(fresh.api_key).get('/users/me')).status).toBe(200);
  expect(await held()).toBe(0);
  await expect(admin.run(['users', 'resume', '--user', id])).rejects.toThrow('is not suspended');
  expect(await admin.operator.workflows.find(WorkflowId.parse(flow.id))).not.toHaveProperty('suspendedAt');
  expect(await admin.operator.users.find(UserId.parse(id))).not.toHaveProperty('suspendedAt');
});

test('a paused service accepts requests and runs nothing; resumed, it works them off', async () => {
  const source = deployed((await scene.api.post('/sources', { component_code: echoComponent() })).body.data);
  const runs = async () => (await scene.events(source.id)).length;
  await admin.run(['pause']);
  expect((await scene.send(source.endpoint, { n: 1 })).status).toBe(200);
  expect(await scene.isThrough()).toBe(false);
  const health = await fetch(`${scene.cloud.cloud.url}/healthz`);
  expect([health.status, await health.text()]).toEqual([503, expect.stringContaining('not consumed')]);
  expect(await runs()).toBe(0);
  expect((await admin.run(['resume'])).json).toMatchObject({ consuming: true });
  await until('the event is stored', async () => (await runs()) === 1);
});

interface Usage {
  username: string;
  runs: number;
  events: number;
  delivered: number;
  failed: number;
  estimated_usd: number;
}

test('usage shows what a user did on each day, and what it costs', async () => {
  const { json } = await admin.run(['users', 'list']);
  const ann = (json as { id: string; username: string }[]).find(({ username }) => username === 'ann');
  /** The events may be of yesterday: midnight may have passed. */
  const days = async () => (await admin.run(['usage', '--user', ann?.id ?? '', '--days', '2'])).json as Usage[];
  // Functions write their counts of attempts after a moment.
  const used = await until('all is counted', async () => {
    const found = await days();
    const sum = (name: 'runs' | 'events' | 'delivered') => found.reduce((total, day) => total + day[name], 0);
    return sum('runs') === 3 && sum('events') === 4 && sum('delivered') === 7 && found;
  });
  for (const day of used)
    expect(day).toMatchObject({ username: 'ann', failed: 0, estimated_usd: expect.any(Number) as number });
  const text = await admin.text(['usage']);
  expect(text).toContain('ann\t');
});
