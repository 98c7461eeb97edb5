import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashOfKey } from '../../shared/domain/user/key-hash.ts';
import { portalTokens } from '../../shared/domain/webhook/portal-token.ts';
import { type ApiClient, apiClient } from '../support/api-client.ts';
import { startTestCloud, type TestCloud } from '../support/cloud.ts';
import { operator } from '../support/operator.ts';
import { Receiver } from '../support/receiver.ts';
import { aUser } from '../support/stores.ts';

const HOUR_MS = 3_600_000;

let cloud: TestCloud;
let api: ApiClient;
let receiver: Receiver;
beforeAll(async () => {
  cloud = await startTestCloud();
  api = await apiClient(cloud.base, cloud.key);
  receiver = await Receiver.start();
});
afterAll(async () => {
  await cloud.stop();
  await receiver.stop();
});

/** A user with a webhook, and a customer with a link to it. */
async function aCustomer(settings: object = {}) {
  const { id: userId, key } = await aUser(cloud);
  const user = api.as(key);
  const webhook = (await user.post('/webhooks', { url: receiver.url, ...settings })).body.data;
  const linkBy = async (client: ApiClient): Promise<{ url: string; expires_at_ms: number }> =>
    (await client.post('/webhooks/portal_links', { webhook_id: webhook.id, name: 'Acme', color: '#0b6e4f' })).body.data;
  const customerOf = ({ url }: { url: string }) => api.as(new URL(url).hash.slice(1));
  const link = await linkBy(user);
  return {
    userId,
    key,
    user,
    webhook,
    path: `/webhooks/${webhook.id}`,
    link,
    linkBy,
    customerOf,
    customer: customerOf(link),
  };
}

test('a link leads to a page of the service, has name and colour, and is good for an hour', async () => {
  const before = Date.now();
  const { link, webhook, userId, customer, path } = await aCustomer();
  expect(link.url.startsWith(`${cloud.origin}/portal#pt_`)).toBe(true);
  expect(portalTokens.claimsOf(new URL(link.url).hash.slice(1), Date.now())).toEqual({
    userId,
    webhookId: webhook.id,
    until: link.expires_at_ms,
    name: 'Acme',
    color: '#0b6e4f',
  });
  expect(link.expires_at_ms).toBeGreaterThanOrEqual(before + HOUR_MS);
  expect(link.expires_at_ms).toBeLessThanOrEqual(Date.now() + HOUR_MS);
  expect((await customer.get(path)).body.data).toMatchObject({ id: webhook.id, url: receiver.url, active: true });
  expect((await fetch(`${cloud.origin}/portal`)).status).toBe(200);
});

test.each([
  ['has ended', -1, 'of the user'],
  ['would work for longer than an hour', HOUR_MS + 60_000, 'of the user'],
  ['was signed with another key', HOUR_MS, 'of somebody else'],
])('a link that %s is refused', async (_what, ms, signer) => {
  const { userId, key, webhook, path } = await aCustomer();
  const signing = signer === 'of the user' ? key : (await aUser(cloud)).key;
  const claims = { userId, webhookId: webhook.id, until: Date.now() + ms, name: '' };
  const refused = await api.as(portalTokens.sign(claims, hashOfKey(signing))).get(path);
  expect([refused.status, refused.body.error]).toEqual([401, expect.stringContaining('This link has ended') as string]);
});

test('only a key with the scope manage makes links, also without asking the service', async () => {
  const { userId, user, webhook, path } = await aCustomer();
  const { api_key: reading } = (await user.post('/keys', { name: 'reads', scopes: ['read', 'send'] })).body.data;
  expect((await api.as(reading).post('/webhooks/portal_links', { webhook_id: webhook.id })).status).toBe(403);
  const claims = { userId, webhookId: webhook.id, until: Date.now() + 1_000, name: '' };
  expect((await api.as(portalTokens.sign(claims, hashOfKey(reading))).get(path)).status).toBe(401);
});

test("a link is made for a webhook of one's own", async () => {
  const { webhook } = await aCustomer();
  const { key } = await aUser(cloud);
  expect((await api.as(key).post('/webhooks/portal_links', { webhook_id: webhook.id })).status).toBe(404);
});

test.each([
  [{ color: 'red' }, 'color', 'must be a color such as #0b6e4f'],
  [{ name: 'a'.repeat(61) }, 'name', 'must have at most 60 characters'],
  [{ webhook_id: 'dc_aaaaaa' }, 'webhook_id', 'must be the id of a webhook (wh_…)'],
])('the link %j is refused with a mend', async (body, path, message) => {
  const { user, webhook } = await aCustomer();
  const refused = await user.post('/webhooks/portal_links', { webhook_id: webhook.id, ...body });
  expect([refused.status, refused.body.details]).toEqual([400, [{ path, message }]]);
});

test('a customer sees no header, note or tag of the user, and does not lead the headers elsewhere', async () => {
  const settings = { headers: { 'X-Token': 'secret of the user' }, description: 'pays late', tags: ['trial'] };
  const { customer, path, user } = await aCustomer(settings);
  const shown = await customer.get(path);
  expect(shown.text).not.toMatch(/secret of the user|pays late|trial/);
  const moved = await customer.put(path, { url: 'https://example.org/mine' });
  expect(moved).toMatchObject({ status: 403, body: { details: [{ path: 'url' }] } });
  expect((await user.get(path)).body.data).toMatchObject({ url: receiver.url, ...settings });
});

test.each(['name', 'description', 'headers', 'rate_limit', 'ordered', 'format', 'target', 'tags'])(
  'a customer does not change %s, and a change beside it is not made',
  async (name) => {
    const values: Record<string, unknown> = { headers: {}, ordered: true, format: 'slack', tags: [], rate_limit: 1 };
    const { customer, path, user } = await aCustomer();
    const refused = await customer.put(path, { active: false, [name]: values[name] ?? null });
    expect(refused).toMatchObject({ status: 403, body: { details: [{ path: name }] } });
    expect((await user.get(path)).body.data.active).toBe(true);
  },
);

test('a customer changes the address, switches off and on, rotates the secret and sends a test', async () => {
  const { customer, path, webhook, user } = await aCustomer();
  expect((await customer.put(path, { url: `${receiver.url}/new`, active: false })).body.data.active).toBe(false);
  expect((await customer.put(path, { active: true })).body.data).toMatchObject({ url: `${receiver.url}/new` });
  const { secret } = (await customer.post(`${path}/secret`)).body.data;
  expect(secret).toMatch(/^whsec_/);
  expect(secret).not.toBe(webhook.secret);
  expect((await customer.get(path)).text).not.toContain('whsec_');
  const { data: entries } = (await user.get('/users/me/audit', { operation: 'updateWebhook' })).body;
  expect(entries).toMatchObject([{ by: { kind: 'portal' } }, { by: { kind: 'portal' }, ids: [webhook.id] }]);
  expect((await customer.post(`${path}/test`, { order: 7 })).body.data.outcome).toBe('delivered');
  const { data } = (await customer.get(`${path}/deliveries`)).body;
  expect(data).toMatchObject([{ event_name: '$test', status: 'delivered' }]);
  const one = await customer.get(`${path}/deliveries/${data[0].id}`, { expand: 'event' });
  expect(one.body.data).toMatchObject({ attempt_log: [{ status: 200 }] });
});

test('a link gives one webhook, and nothing else of its user or of others', async () => {
  const { user, customer } = await aCustomer();
  const another = (await user.post('/webhooks', { url: receiver.url })).body.data;
  const { path: ofOthers } = await aCustomer();
  for (const path of [`/webhooks/${another.id}`, ofOthers, '/users/me/webhooks'])
    expect((await customer.get(path)).body.code, path).toBe('missing_scope');
  for (const path of ['/users/me', '/users/me/sources', '/keys', '/users/me/audit', '/users/me/accounts'])
    expect((await customer.get(path)).status, path).toBe(401);
});

test('a link ends with the key that made it, and while the user is suspended', async () => {
  const { userId, user, linkBy, customerOf, path } = await aCustomer();
  const made = (await user.post('/keys', { name: 'links', scopes: ['manage'] })).body.data;
  const customer = customerOf(await linkBy(api.as(made.api_key)));
  expect((await customer.get(path)).status).toBe(200);
  const operate = operator(cloud);
  await operate('users suspend', { user: userId });
  expect((await customer.get(path)).status).toBe(403);
  await operate('users resume', { user: userId });
  expect((await customer.get(path)).status).toBe(200);
  expect((await user.delete(`/keys/${made.id}`)).status).toBe(204);
  expect((await customer.get(path)).status).toBe(401);
});

test('a link whose claims or signature were changed gives nothing', async () => {
  const { userId, user, webhook, link, path, key } = await aCustomer();
  const other = await aCustomer();
  const another = (await user.post('/webhooks', { url: receiver.url })).body.data;
  const token = new URL(link.url).hash.slice(1);
  const [, text = '', signature = ''] = /^pt_([\w-]+)\.([\w-]+)$/.exec(token) ?? [];
  const claims: object = JSON.parse(Buffer.from(text, 'base64url').toString());
  const textOf = (changed: object) => Buffer.from(JSON.stringify({ ...claims, ...changed })).toString('base64url');
  const later = link.expires_at_ms + HOUR_MS;
  const attempts = {
    'another webhook of the user': [`pt_${textOf({ webhookId: another.id })}.${signature}`, `/webhooks/${another.id}`],
    "another user's webhook": [
      `pt_${textOf({ webhookId: other.webhook.id, userId: other.userId })}.${signature}`,
      other.path,
    ],
    'a later end': [`pt_${textOf({ until: later })}.${signature}`, path],
    'the signature of another link': [`pt_${text}.${new URL(other.link.url).hash.split('.')[1]}`, path],
    'a changed signature': [`pt_${text}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`, path],
    'no signature': [`pt_${text}.`, path],
    'another kind of token': [`lt_${text}.${signature}`, path],
    "a signature by a key of one's own": [
      portalTokens.sign(
        { userId: other.userId, webhookId: webhook.id, name: 'Acme', until: link.expires_at_ms },
        hashOfKey(other.key),
      ),
      path,
    ],
    'a lifetime that the user signed': [
      portalTokens.sign(
        { name: 'Acme', userId, webhookId: webhook.id, until: Date.now() + 400 * 24 * HOUR_MS },
        hashOfKey(key),
      ),
      path,
    ],
  } as const;
  for (const [name, [changed, address]] of Object.entries(attempts)) {
    const { status, body } = await api.as(changed).get(address);
    expect([401, 403, 404], `${name}: ${body.code}`).toContain(status);
    expect((await api.as(changed).put(address, { active: false })).status, name).toBeGreaterThanOrEqual(401);
  }
  expect((await user.get(path)).body.data.active).toBe(true);
});

test('a page of another origin does not use a link by the cookies or the network of its reader', async () => {
  const { link, path } = await aCustomer();
  const token = new URL(link.url).hash.slice(1);
  const origin = 'https://elsewhere.example.org';
  const withHeaders = (headers: Record<string, string>, query = '') =>
    fetch(`${cloud.base}${path}${query}`, { headers: { origin, ...headers } });
  // A token counts as a Bearer token alone: browsers send cookies and addresses by themselves.
  expect((await withHeaders({ cookie: `tributary-portal=${token}` })).status).toBe(401);
  expect((await withHeaders({ cookie: `tributary-session=${token}` })).status).toBe(403);
  expect((await withHeaders({}, `?token=${token}`)).status).toBe(401);
  const allowed = await withHeaders({ authorization: `Bearer ${token}` });
  expect(allowed.headers.get('access-control-allow-credentials')).toBeNull();
});
