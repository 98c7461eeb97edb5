import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Operator } from '../../../bin/admin/operator.ts';
import { EmitterId, SourceId, UserId, WebhookId, WorkflowId } from '../../../shared/domain/id.ts';
import { emitterStore } from '../../../shared/store/emitters/emitters.ts';
import { orderedWebhookStore } from '../../../shared/store/subscriptions/webhooks.ts';
import type { ApiClient } from '../../support/api-client.ts';
import { echoComponent } from '../../support/components.ts';
import { Receiver } from '../../support/receiver.ts';
import { repetitions } from '../../support/repetitions.ts';
import { deployed, Scene } from '../../support/scene.ts';
import { hashOfKey } from '../../../shared/domain/user/key-hash.ts';
import { tableOf } from '../../support/stores.ts';
import { until } from '../../support/until.ts';
import { type OperatorAtWork, operatorThroughSocket } from './operator-of.ts';

let scene: Scene;
let admin: OperatorAtWork;
beforeAll(async () => {
  scene = await Scene.open();
  admin = await operatorThroughSocket(scene.cloud);
});
afterAll(async () => {
  await admin.close();
  await scene.close();
});

let users = 0;

async function aUser(): Promise<{ id: UserId; api: ApiClient }> {
  const name = `ann-${(users += 1)}`;
  const { json } = await admin.run(['users', 'create', '--username', name, '--email', 'ann@localhost']);
  const { id, api_key: key } = json as { id: string; api_key: string };
  return { id: UserId.parse(id), api: scene.api.as(key) };
}

async function register(owner: UserId) {
  const argv = ['workflows', 'register', '--owner', owner, '--name', 'flow', '--target', 'http://127.0.0.1:9/'];
  return (await admin.run(argv)).json as { id: string; ingest_url: string; credential: string };
}

const emit = async (workflow: { ingest_url: string; credential: string }) =>
  fetch(`${workflow.ingest_url}/emits`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${workflow.credential}` },
    body: '{"n":1}',
  });

/**
 * Someone with two sources, one of which listens to the other, a webhook, a workflow and subscriptions of every kind.
 */
async function everything() {
  const { id, api } = await aUser();
  const receiver = await Receiver.start();
  onTestFinished(() => receiver.stop());
  const { body: hook } = await api.post('/webhooks', { url: receiver.url, ordered: true });
  const { body: first } = await api.post('/sources', { component_code: echoComponent() });
  const { body: second } = await api.post('/sources', { component_code: echoComponent() });
  const source = deployed(first.data);
  const workflow = await register(id);
  const subscribe = async (emitter: string, listener: string) => {
    const query = { emitter_id: emitter, listener_id: listener };
    expect((await api.post('/subscriptions', undefined, { query })).status).toBe(200);
  };
  await subscribe(source.id, hook.data.id);
  await subscribe(source.id, second.data.id);
  await subscribe('dc_*', workflow.id);
  await subscribe(workflow.id, hook.data.id);
  const auto = { event_name: '$errors', listener_id: hook.data.id };
  expect((await api.post('/auto_subscriptions', undefined, { query: auto })).status).toBe(200);
  const { body: made } = await api.post('/keys', { name: 'more', scopes: ['read'] });
  const { body: rotated } = await api.post(`/keys/${made.data.id}/rotate`, { overlap_seconds: 3_600 });
  const keys: string[] = [made.data.api_key, rotated.data.api_key];
  await scene.send(source.endpoint, { n: 1 });
  expect((await emit(workflow)).status).toBe(200);
  await until('both events are delivered', () => receiver.received.length === 2);
  const emitters = [source.id, second.data.id, workflow.id].map((emitter) => EmitterId.parse(emitter));
  return { id, api, receiver, source, workflow, emitters, keys, webhook: WebhookId.parse(hook.data.id) };
}

type Everything = Awaited<ReturnType<typeof everything>>;

async function expectNothingOf({ id, receiver, workflow, emitters, keys, webhook }: Everything) {
  const { users, webhooks, subscriptions, autoSubscriptions, removals } = admin.operator;
  const table = emitterStore(tableOf(scene.cloud));
  for (const emitter of emitters) {
    await until(`${emitter} is purged`, async () => {
      const { source: left, workflow: other, state } = await table.load(emitter);
      return !left && !other && state.version === 0;
    });
  }
  expect(await users.find(id)).toBeUndefined();
  for (const key of keys) expect(await users.findKey(hashOfKey(key))).toBeUndefined();
  expect(await users.listedHashes(id)).toEqual([]);
  expect(await webhooks.find(webhook)).toBeUndefined();
  expect(await orderedWebhookStore(tableOf(scene.cloud)).hasAny(id)).toBe(false);
  expect(await subscriptions.list(id)).toEqual([]);
  expect(await autoSubscriptions.list(id)).toEqual([]);
  expect(await removals.list()).toEqual([]);
  expect((await emit(workflow)).status).toBe(401);
  expect(receiver.received).toHaveLength(2);
}

const remove = (id: string) => ['users', 'delete', '--user', id];

test('a deleted user leaves nothing, and other users lose nothing', async () => {
  const [mine, theirs] = [await everything(), await everything()];
  expect((await admin.run(remove(mine.id))).json).toEqual({
    id: mine.id,
    unrevoked: 0,
    removed: { emitters: 3, webhooks: 1, accounts: 0 },
  });
  await expectNothingOf(mine);
  await until('its endpoint is closed', async () => (await scene.send(mine.source.endpoint)).status === 404);
  expect((await theirs.api.get('/users/me/sources')).body.page_info.total_count).toBe(2);
  expect((await theirs.api.get('/users/me/subscriptions')).body.data).toHaveLength(4);
  await expect(admin.run(remove(mine.id))).rejects.toThrow(new Error(`There is no user ${mine.id}.`));
});

/** The operator, dying just before or after a step, the first time. */
function dying(step: string, after: boolean): Operator {
  const [part = '', method] = step.split('.');
  const operator = { ...admin.operator } as Record<string, unknown>;
  const die =
    (act: (...args: unknown[]) => Promise<unknown>) =>
    async (...args: unknown[]) => {
      if (after) await act(...args);
      throw new Error('died');
    };
  const whole = operator[part] as Record<string, never>;
  operator[part] = method === undefined ? die(whole as never) : { ...whole, [method]: die(whole[method] as never) };
  return operator as unknown as Operator;
}

/** `npm test` tries two of them. */
const DEATHS = [
  ['after', 'sources.tombstone'],
  ['before', 'users.remove'],
  ['before', 'sources.tombstone'],
  ['after', 'sendTriggers'],
  ['before', 'removals.end'],
  ['after', 'workflows.tombstone'],
  ['before', 'webhooks.remove'],
  ['after', 'users.setSuspension'],
] as const;

test.each(DEATHS.slice(0, repetitions(2, DEATHS.length)))(
  'a command that dies %s %s can be repeated',
  async (when, step) => {
    const mine = await everything();
    await expect(admin.run(remove(mine.id), dying(step, when === 'after'))).rejects.toThrow('died');
    expect(await admin.operator.users.find(mine.id)).toMatchObject({ suspendedAt: expect.any(Number) as number });
    await admin.run(remove(mine.id));
    await expectNothingOf(mine);
  },
);

test('a repeated command deletes everything that the user made while a cache still knew the key', async () => {
  const { id, api } = await aUser();
  await api.get('/users/me/sources');
  await api.post('/sources', { component_code: echoComponent() });
  await admin.run(remove(id));
  const { status, body } = await api.post('/sources', { component_code: echoComponent() });
  expect(status).toBe(200);
  await admin.run(remove(id));
  expect(await admin.operator.sources.find(SourceId.parse(body.data.id))).not.toMatchObject({
    state: 'active',
  });
  await expect(admin.run(remove(id))).rejects.toThrow(`There is no user ${id}.`);
});

describe('a workflow', () => {
  test('is registered with what it emits with, and takes part in auto-subscriptions', async () => {
    const receiver = await Receiver.start();
    onTestFinished(() => receiver.stop());
    const { id: owner, api } = await aUser();
    const { body: hook } = await api.post('/webhooks', { url: receiver.url, ordered: true });
    const query = { event_name: 'default', listener_id: hook.data.id };
    await api.post('/auto_subscriptions', undefined, { query });
    const workflow = await register(owner);
    expect(workflow).toEqual({
      id: expect.stringMatching(/^p_[0-9a-z]{24}$/) as string,
      ingest_url: `${scene.cloud.ingress}/workflows/${workflow.id}`,
      credential: expect.stringMatching(/^[\w-]{43}$/) as string,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) as string,
    });
    expect((await emit(workflow)).status).toBe(200);
    await until('its event is delivered', () => receiver.received.length === 1);
  });

  test('is on the list without its secrets', async () => {
    const { id: owner } = await aUser();
    const workflow = await register(owner);
    const { json } = await admin.run(['workflows', 'list']);
    const text = await admin.text(['workflows', 'list']);
    expect(json).toContainEqual({
      id: workflow.id,
      owner,
      name: 'flow',
      target: 'http://127.0.0.1:9/',
      created_at: expect.any(Number) as number,
    });
    expect(JSON.stringify(json) + text).not.toMatch(new RegExp(`${workflow.credential}|whsec_|[Hh]ash`));
  });

  test('needs an owner', async () => {
    await expect(register(UserId.parse('u_nobody'))).rejects.toThrow(new Error('There is no user u_nobody.'));
  });

  test('is gone when it was deleted: its events, its way in, its place on the list', async () => {
    const { id: owner, api } = await aUser();
    const workflow = await register(owner);
    await emit(workflow);
    await until('its event is stored', async () => {
      const { body } = await api.get(`/workflows/${workflow.id}/event_summaries`);
      return body.page_info.total_count === 1;
    });
    const argv = ['workflows', 'delete', '--workflow', workflow.id];
    expect((await admin.run(argv)).json).toEqual({ id: workflow.id });
    expect((await emit(workflow)).status).toBe(401);
    expect((await api.get(`/workflows/${workflow.id}/event_summaries`)).status).toBe(404);
    expect(JSON.stringify((await admin.run(['workflows', 'list'])).json)).not.toContain(workflow.id);
    const table = emitterStore(tableOf(scene.cloud));
    await until('it is purged', async () => {
      const { workflow: left, state } = await table.load(WorkflowId.parse(workflow.id));
      return !left && state.version === 0;
    });
    await expect(admin.run(argv)).rejects.toThrow(new Error(`There is no workflow ${workflow.id}.`));
  });

  test.each(['workflows.tombstone', 'sendTriggers'])(
    'is deleted by repeating a command that died before %s',
    async (step) => {
      const { id: owner } = await aUser();
      const workflow = await register(owner);
      const argv = ['workflows', 'delete', '--workflow', workflow.id];
      await expect(admin.run(argv, dying(step, false))).rejects.toThrow('died');
      await admin.run(argv);
      const table = emitterStore(tableOf(scene.cloud));
      await until('it is purged', async () => !(await table.load(WorkflowId.parse(workflow.id))).workflow);
    },
  );
});

test('the key for commands on this machine ends with the next one, and with its user', async () => {
  const { id } = await aUser();
  const { users } = admin.operator;
  const ownerOf = async (key: string) => (await users.findByKeyHash(hashOfKey(key)))?.userId;
  const localKey = (key: string) => ({ hash: hashOfKey(key), onlyFrom: ['127.0.0.1'] });
  await users.setLocalKey(id, localKey('local-1'));
  expect(await ownerOf('local-1')).toBe(id);
  await users.setLocalKey(id, localKey('local-2'));
  expect([await ownerOf('local-1'), await ownerOf('local-2')]).toEqual([undefined, id]);
  await admin.run(['users', 'delete', '--user', id]);
  expect(await ownerOf('local-2')).toBeUndefined();
});
