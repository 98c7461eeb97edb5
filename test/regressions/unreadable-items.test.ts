import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { ensureAdmin } from '../../bin/start-admin-user.ts';
import { EventId } from '../../shared/domain/event/event-id.ts';
import { hashOfKey } from '../../shared/domain/user/key-hash.ts';
import { AccountId, ComponentId, DeliveryId, SourceId, UserId, WebhookId } from '../../shared/domain/id.ts';
import {
  accountKey,
  apiKeyKey,
  autoSubscriptionIdentityKey,
  componentKey,
  deliveryKey,
  eventKey,
  matchKey,
  sourceKey,
  userKey,
  webhookKey,
  workflowKey,
} from '../../shared/store/table/keys.ts';
import { apiClient } from '../support/api-client.ts';
import { operator } from '../support/operator.ts';
import { ECHO, Scene } from '../support/scene.ts';
import { spoil } from '../support/spoil.ts';
import { aWorkflow, tableOf } from '../support/stores.ts';
import { until } from '../support/until.ts';

/**
 * One item of another shape stopped a start of the service, and the lists of its owner. A request about it got no name
 * and no mend.
 */

const SECRET = 'whsec_of-another-release';

let scene: Scene;
beforeEach(async () => {
  scene = await Scene.open();
});
afterEach(() => scene.close());

const start = (apiKey: string | undefined) => {
  const { dispatch, outputs } = scene.cloud.cloud.open;
  return ensureAdmin({ dispatch, tableName: outputs['TableName'] ?? '', apiKey });
};
const admin = () => operator(scene.cloud);
const Created = z.object({ id: UserId });

test('the service starts beside a user that cannot be read, and says so of admin itself', async () => {
  const { id } = Created.parse(await admin()('users create', { username: 'ann', email: 'a@b.c' }));
  const [first] = z
    .array(z.object({ id: UserId, username: z.string() }))
    .parse(await admin()('users list'))
    .filter(({ username }) => username === 'admin');
  await spoil(tableOf(scene.cloud), userKey(id), { plan: SECRET });
  await expect(start(undefined)).resolves.toBeUndefined();
  await spoil(tableOf(scene.cloud), userKey(first?.id ?? expect.fail()), { plan: SECRET });
  await expect(start(undefined)).rejects.toThrow(
    /^The user admin cannot be read by this release: start the release that wrote it/,
  );
});

test('a list of the API leaves out a webhook that cannot be read, and the log names it without its content', async () => {
  const url = (n: number) => ({ query: { url: `https://example.org/${n}` } });
  const made = await Promise.all([1, 2, 3].map((n) => scene.api.post('/webhooks', undefined, url(n))));
  const ids = made.map(({ body }) => WebhookId.parse(body.data.id));
  const [broken = expect.fail(), ...others] = ids.toSorted();
  await spoil(tableOf(scene.cloud), webhookKey(broken), { url: { of: SECRET } });
  const { status, body } = await scene.api.get('/users/me/webhooks');
  expect(status).toBe(200);
  expect((body.data as { id: string }[]).map(({ id }) => id).toSorted()).toEqual(others);
  const lines = () => scene.cloud.logs.map(({ text }) => text).filter((text) => text.includes('item.unreadable'));
  await until('the line of the log', () => lines().length > 0);
  expect(JSON.parse(lines()[0] ?? '')).toMatchObject({ level: 'error', item: broken });
  expect(lines().join()).not.toContain(SECRET);
});

/** Items of each kind in the table, and a request about each. */
async function itemsOfAllKinds() {
  const { body: me } = await scene.api.get('/users/me');
  const userId = UserId.parse(me.data.id);
  const made = await scene.source(ECHO);
  const source = SourceId.parse(made.id);
  const hook = await scene.webhook();
  const webhook = WebhookId.parse(hook.id);
  hook.receiver.respond = () => ({ status: 500 });
  await scene.subscribe(source, webhook);
  await scene.send(made.endpoint, { order: 1 });
  const [event] = await until('the event', async () => {
    const events = await scene.events(source);
    return events.length > 0 && events;
  });
  const delivery = await until('the failed delivery', async () => {
    const { body } = await scene.api.get(`/webhooks/${webhook}/deliveries`, { status: 'retrying' });
    return (body.data as { id: string }[])[0]?.id;
  });
  const { id: workflow } = await aWorkflow(scene.cloud, userId);
  const { body: account } = await scene.api.post('/accounts', { app: 'shop', fields: { key: 'k' } });
  const autoSubscribe = () => scene.api.post('/auto_subscriptions', { event_name: 'default', listener_id: webhook });
  await autoSubscribe();
  const [deliveryId, eventId] = [DeliveryId.parse(delivery), EventId.parse(event?.id)];
  const accountId = AccountId.parse(account.data.id);
  const componentId = ComponentId.parse(made.data.component_id);
  const get = (path: string) => () => scene.api.get(path);
  const subscribe = () =>
    scene.api.post('/subscriptions', undefined, { query: { emitter_id: source, listener_id: webhook } });
  return {
    endpoint: made.endpoint,
    // Those that a request for another one reads come last.
    items: [
      [deliveryId, deliveryKey(webhook, deliveryId), get(`/webhooks/${webhook}/deliveries/${deliveryId}`)],
      [eventId, eventKey(source, 'default', eventId), get(`/sources/${source}/events/${eventId}`)],
      [`the subscription of ${webhook}`, matchKey({ emitterId: source }, 'default', webhook), subscribe],
      [`the auto-subscription of ${webhook}`, autoSubscriptionIdentityKey(userId, webhook, 'default'), autoSubscribe],
      [workflow, workflowKey(workflow), get(`/workflows/${workflow}/event_summaries`)],
      [accountId, accountKey(accountId), get(`/accounts/${accountId}`)],
      [componentId, componentKey(componentId), get(`/components/${componentId}`)],
      [webhook, webhookKey(webhook), get(`/webhooks/${webhook}`)],
      [source, sourceKey(source), get(`/sources/${source}`)],
      [userId, userKey(userId), get('/users/me')],
    ] as const,
  };
}

test('a request about an item that cannot be read names the item, the request id and the mend, and nothing of the content', async () => {
  const { endpoint, items } = await itemsOfAllKinds();
  const lines = () => scene.cloud.logs.map(({ text }) => text).filter((text) => text.includes('item.unreadable'));
  for (const [name, key, ask] of items) {
    await spoil(tableOf(scene.cloud), key, {
      ownerId: { of: SECRET },
      listenerId: { of: SECRET },
      status: { of: SECRET },
      j: { of: SECRET },
      keyHash: { of: SECRET },
    });
    const { status, body, text, headers } = await ask();
    expect({ name, status, body: body as unknown }).toEqual({
      name,
      status: 500,
      body: {
        error: `This release of the service cannot read what is stored of ${name}: report this and the request_id to the operator.`,
        code: 'unreadable',
        request_id: headers.get('x-request-id'),
      },
    });
    expect(text).not.toContain(SECRET);
    const ofRequest = () => lines().find((line) => line.includes(String(body.request_id)));
    const line = await until('the line of the log', ofRequest);
    expect(JSON.parse(line)).toMatchObject({ level: 'error', item: name });
  }
  expect(lines().join()).not.toContain(SECRET);
  const toEndpoint = await until('the end of the cache of sources', async () => {
    const response = await scene.send(endpoint);
    return response.status === 500 && response;
  });
  expect(await toEndpoint.json()).toMatchObject({
    error:
      'This release of the service cannot read what is stored of this endpoint; report the request_id to its owner.',
    code: 'unreadable',
  });
});

test('a request whose API key cannot be read says so, and nothing of the key', async () => {
  const made = await admin()('users create', { username: 'ann', email: 'a@b.c' });
  const { api_key: apiKey } = z.object({ api_key: z.string() }).parse(made);
  await spoil(tableOf(scene.cloud), apiKeyKey(hashOfKey(apiKey)), { userId: { of: SECRET } });
  const { status, body, text } = await (await apiClient(scene.cloud.base, apiKey)).get('/users/me');
  expect({ status, code: body.code as unknown }).toEqual({ status: 500, code: 'unreadable' });
  expect(text).toContain('cannot read what is stored of your API key');
  expect(text).not.toContain(SECRET);
});
