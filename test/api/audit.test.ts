import { afterAll, beforeAll, expect, test } from 'vitest';
import { firstKeyId } from '../../shared/domain/user/api-key.ts';
import { routes } from '../../shared/http/routes.ts';
import type { Route } from '../../shared/http/route.ts';
import { isChange } from '../../shared/http/rights.ts';
import { wholePartition, queryAll } from '../../shared/store/table/table-client.ts';
import { auditPartition } from '../../shared/store/table/keys.ts';
import { type ApiClient, apiClient, type ApiResponse } from '../support/api-client.ts';
import { startTestCloud, type TestCloud } from '../support/cloud.ts';
import { emitter } from '../support/components.ts';
import { operator } from '../support/operator.ts';
import { Receiver } from '../support/receiver.ts';
import { aUser, tableOf } from '../support/stores.ts';
import { until } from '../support/until.ts';

let cloud: TestCloud;
let api: ApiClient;
let receiver: Receiver;
beforeAll(async () => {
  [cloud, receiver] = await Promise.all([startTestCloud(), Receiver.start()]);
  api = await apiClient(cloud.base, cloud.key);
});
afterAll(() => Promise.all([cloud.stop(), receiver.stop()]));

/** Stands in every secret of the test. */
const MARK = 'hunter2';
const MARKED = `
export default {
  name: 'Marked', key: 'marked', version: '0.0.1', type: 'source',
  props: { token: { type: 'string', secret: true }, http: '$.interface.http' },
  async run() { this.$emit({ n: 1 }); /* ${MARK} */ },
};`;

const ok = async (response: Promise<ApiResponse>) => {
  const { status, body, text } = await response;
  expect(status, text).toBeLessThan(300);
  return body?.data;
};

/** Changes of every kind, with the number of entries after each one. */
async function everyChange(user: ApiClient) {
  const done: string[] = [];
  const secrets: string[] = [];
  const change = async (operation: string, response: Promise<ApiResponse>) => {
    done.push(operation);
    return ok(response);
  };
  const component = await change('createComponent', user.post('/components', { component_code: MARKED }));
  const source = await change(
    'createSource',
    user.post('/sources', { component_id: component.id, name: 'orders', configured_props: { token: MARK } }),
  );
  await change('updateSource', user.put(`/sources/${source.id}`, { configured_props: { token: `${MARK}-2` } }));
  const url = `${receiver.url}/${MARK}`;
  const webhook = await change(
    'createWebhook',
    user.post('/webhooks', { name: 'shop', headers: { authorization: MARK } }, { query: { url } }),
  );
  await change('updateWebhook', user.put(`/webhooks/${webhook.id}`, { name: 'shops', headers: { 'x-key': MARK } }));
  const rotated = await change('rotateWebhookSecret', user.post(`/webhooks/${webhook.id}/secret`, {}));
  const link = await change('createPortalLink', user.post('/webhooks/portal_links', { webhook_id: webhook.id }));
  const subscription = { emitter_id: source.id, listener_id: webhook.id };
  await change('createSubscription', user.post('/subscriptions', {}, { query: subscription }));
  const auto = { event_name: '$errors', listener_id: webhook.id };
  await change('createAutoSubscription', user.post('/auto_subscriptions', {}, { query: auto }));
  await change('testWebhook', user.post(`/webhooks/${webhook.id}/test`, { text: MARK }));
  await ok(user.post(`/sources/${source.id}/run`, { text: MARK }));
  await until('the event is delivered', () => receiver.received.length >= 2);
  await change('startRecovery', user.post(`/webhooks/${webhook.id}/recover`, { since: Date.now() - 60_000 }));
  const [delivery] = (await user.get(`/webhooks/${webhook.id}/deliveries`)).body.data;
  await change('redeliver', user.post(`/webhooks/${webhook.id}/deliveries/${delivery.id}/redeliver`, {}));
  await change('resetSourceDedupe', user.delete(`/sources/${source.id}/dedupe`));
  await change('deleteSourceTriggers', user.delete(`/sources/${source.id}/triggers`));
  await change('deleteSourceEvents', user.delete(`/sources/${source.id}/events`));
  const account = await change(
    'createAccount',
    user.post('/accounts', { app: 'slack', name: 'team', fields: { bot_token: MARK } }),
  );
  await change('updateAccount', user.put(`/accounts/${account.id}`, { fields: { bot_token: `${MARK}-2` } }));
  await change('deleteAccount', user.delete(`/accounts/${account.id}`));
  const key = await change('createKey', user.post('/keys', { name: 'dashboard', scopes: ['read'] }));
  const again = await change('rotateKey', user.post(`/keys/${key.id}/rotate`, {}));
  await change('deleteKey', user.delete(`/keys/${key.id}`));
  await change('deleteAutoSubscription', user.delete('/auto_subscriptions', auto));
  await change('deleteSubscription', user.delete('/subscriptions', subscription));
  await ok(user.post('/subscriptions', {}, { query: subscription }));
  done.push('createSubscription');
  await change('deleteWebhook', user.delete(`/webhooks/${webhook.id}`));
  await change('deleteSource', user.delete(`/sources/${source.id}`));
  secrets.push(
    new URL(link.url).hash,
    webhook.secret,
    rotated.secret,
    key.api_key,
    again.api_key,
    source.endpoint_url,
    MARK,
  );
  return { done, secrets, source, webhook, account, key };
}

test('every change has one entry, newest first, without a secret and within 2 KB', async () => {
  const { id, key } = await aUser(cloud);
  const user = api.as(key);
  const { done, secrets, source, webhook, account, key: made } = await everyChange(user);
  const all = Object.values(routes).flatMap((group) => Object.entries<Route>(group));
  const changing = all.filter(([name, route]) => isChange(name, route)).map(([name]) => name);
  // A sign-in needs a client of the operator.
  expect(new Set([...done, 'startConnecting'])).toEqual(new Set(changing));

  const { body, text } = await user.get('/users/me/audit', { limit: 100 });
  const entries = body.data as Record<string, unknown>[];
  expect(entries.map(({ operation }) => operation)).toEqual(done.toReversed());
  expect(entries.map(({ number }) => number)).toEqual(done.map((_, index) => done.length - index));
  expect(body.page_info.total_count).toBe(done.length);
  const items = JSON.stringify(await queryAll(tableOf(cloud), wholePartition(auditPartition(id))));
  for (const secret of [...secrets, key]) {
    expect(text).not.toContain(secret);
    expect(items).not.toContain(secret);
  }
  for (const entry of entries) expect(Buffer.byteLength(JSON.stringify(entry))).toBeLessThan(2_048);

  const of = (name: string) => entries.find(({ operation }) => operation === name) ?? expect.fail(name);
  expect(of('createWebhook')).toMatchObject({
    by: { kind: 'key', id: firstKeyId(id), name: 'First key' },
    ids: [webhook.id],
    before: null,
    after: { name: 'shop', url: new URL(receiver.url).origin, active: true },
    hidden: expect.arrayContaining(['secret', 'headers', 'url']) as unknown,
    client_ip: '127.0.0.1',
    request_id: expect.any(String) as unknown,
  });
  expect(of('updateWebhook')).toMatchObject({
    before: { name: 'shop' },
    after: { name: 'shops' },
    hidden: ['headers'],
  });
  expect(of('rotateWebhookSecret')).toMatchObject({ ids: [webhook.id], hidden: ['secret'] });
  expect(of('updateSource')).toMatchObject({ before: null, after: null, hidden: ['configured_props'] });
  expect(of('updateAccount')).toMatchObject({ before: null, after: null, hidden: ['fields'] });
  expect(of('deleteAccount')).toMatchObject({ ids: [account.id], before: { app: 'slack', name: 'team' }, after: null });
  expect(of('deleteKey')).toMatchObject({ ids: [made.id], removed: { name: 'dashboard', scopes: ['read'] } });
  expect(of('deleteSubscription')).toMatchObject({ before: { emitter_id: source.id, listener_id: webhook.id } });
  expect(of('deleteWebhook')).toMatchObject({ before: { name: 'shops' }, removed: { subscriptions: 1 } });
  expect(of('deleteSource')).toMatchObject({
    ids: [source.id],
    before: { name: 'orders' },
    removed: { subscriptions: 0 },
  });
});

test('a refused change and a reading request have no entry', async () => {
  const { key } = await aUser(cloud);
  const user = api.as(key);
  const { body } = await user.post('/keys', { name: 'reader', scopes: ['read'] });
  const reader = api.as(body.data.api_key);
  expect((await reader.post('/sources', { component_code: emitter() })).status).toBe(403);
  expect((await user.post('/keys', { name: '', scopes: ['read'] })).status).toBe(400);
  expect((await user.delete(`/keys/${(await user.get('/keys/current')).body.data.id}`)).status).toBe(409);
  expect((await user.get('/sources/dc_nothing')).status).toBe(404);
  expect((await reader.get('/users/me/audit')).body).toMatchObject({ code: 'missing_scope' });
  const { body: log } = await user.get('/users/me/audit');
  expect(log.data.map(({ operation }: { operation: string }) => operation)).toEqual(['createKey']);
});

test('entries are filtered by key, operation and time, and paged', async () => {
  const { key } = await aUser(cloud);
  const user = api.as(key);
  const { body } = await user.post('/keys', { name: 'shop', scopes: ['manage', 'read'] });
  const shop = api.as(body.data.api_key);
  const { body: webhook } = await shop.post('/webhooks', undefined, { query: { url: receiver.url } });
  await user.put(`/webhooks/${webhook.data.id}`, { name: 'one' });
  const operations = async (query: Record<string, string | number>) =>
    ((await user.get('/users/me/audit', query)).body.data as { operation: string }[]).map(({ operation }) => operation);
  expect(await operations({ key: 'shop' })).toEqual(['createWebhook']);
  expect(await operations({ key: body.data.id })).toEqual(['createWebhook']);
  expect(await operations({ operation: 'createKey' })).toEqual(['createKey']);
  expect(await operations({ until: Date.now() - 600_000 })).toEqual([]);
  expect(await operations({ since: Date.now() - 600_000 })).toEqual(['updateWebhook', 'createWebhook', 'createKey']);
  const first = await user.get('/users/me/audit', { limit: 2 });
  expect(await operations({ limit: 2, after: first.body.page_info.end_cursor })).toEqual(['createKey']);
  expect((await user.get('/users/me/audit', { since: 2, until: 1 })).body.error).toContain(
    'must be earlier than until',
  );
  expect((await user.get('/users/me/audit', { after: 'x' })).body).toMatchObject({ code: 'invalid_cursor' });
});

test('another user sees nothing, and commands of the operator are entries by the operator', async () => {
  const admin = operator(cloud);
  const created = await admin<{ id: string; api_key: string }>('users create', {
    username: 'ann',
    email: 'ann@example.org',
  });
  const ann = api.as(created.api_key);
  await admin('users set-plan', { user: created.id, plan: 'paid' });
  await admin('accounts list', { owner: created.id });
  const account = await admin<{ id: string }>('accounts add', { owner: created.id, app: 'slack', field: `t=${MARK}` });
  const { body, text } = await ann.get('/users/me/audit');
  expect(body.data).toMatchObject([
    { operation: 'admin accounts add', ids: [created.id, account.id], after: { app: 'slack' } },
    { operation: 'admin users set-plan', by: { kind: 'operator', id: null, name: null }, after: { plan: 'paid' } },
    { operation: 'admin users create', ids: [created.id], client_ip: null, request_id: null },
  ]);
  expect(text).not.toContain(MARK);
  await admin('users delete', { user: created.id });
  const partition = wholePartition(auditPartition(created.id as never));
  expect(await queryAll(tableOf(cloud), partition)).toEqual([]);
});

test('an entry of long names and values stays within 2 KB, and says that it is shortened', async () => {
  const { key } = await aUser(cloud);
  const user = api.as(key);
  const { body } = await user.post('/keys', { name: '😀'.repeat(255), scopes: ['manage'] });
  const long = { name: '😀'.repeat(255), description: 'x'.repeat(1_024), url: receiver.url };
  await ok(api.as(body.data.api_key).post('/webhooks', { tags: ['a'.repeat(40)] }, { query: long }));
  const [entry] = (await user.get('/users/me/audit', { limit: 1 })).body.data;
  expect(entry).toMatchObject({ operation: 'createWebhook', is_shortened: true, by: { name: '😀'.repeat(50) } });
  expect(Buffer.byteLength(JSON.stringify(entry))).toBeLessThan(2_048);
});
