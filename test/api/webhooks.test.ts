import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { UserId, WebhookId } from '../../shared/domain/id.ts';
import { orderedWebhookStore } from '../../shared/store/subscriptions/webhooks.ts';
import { type ApiClient, apiClient } from '../support/api-client.ts';
import { startTestCloud, type TestCloud } from '../support/cloud.ts';
import { aUser, tableOf } from '../support/stores.ts';

let cloud: TestCloud;
let api: ApiClient;
let other: ApiClient;
beforeAll(async () => {
  cloud = await startTestCloud();
  const client = await apiClient(cloud.base, cloud.key);
  other = client;
});
afterAll(() => cloud.stop());
beforeEach(async () => {
  api = other.as((await aUser(cloud)).key);
});

const create = async (query: Record<string, string> = { url: 'https://example.org/in' }) =>
  (await api.call('POST', '/webhooks', { query })).body.data;

const without = (object: object, name: string) =>
  Object.fromEntries(Object.entries(object).filter(([member]) => member !== name));

describe('POST /webhooks', () => {
  test('answers with the webhook and, this once, its secret', async () => {
    const made = await create({ url: 'https://example.org:8443/path', name: 'Näme', description: 'd' });
    expect(made).toMatchObject({
      url: 'https://example.org:8443/path',
      name: 'Näme',
      description: 'd',
      active: true,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) as string,
    });
    const { body } = await api.get(`/webhooks/${made.id}`);
    const shown = without(made, 'secret');
    expect(body.data).toEqual(shown);
    const list = await api.get('/users/me/webhooks');
    const item = without(shown, 'user_id');
    expect(list.body.data).toEqual([item]);
    expect(list.text).not.toContain('whsec_');
  });

  test('takes headers and a rate limit in the body, and shows them afterwards as in its answer', async () => {
    const own = { headers: { 'X-Team': 'orders' }, rate_limit: 5 };
    const { body } = await api.post('/webhooks', { url: 'https://example.org/in', ...own });
    expect(body.data).toMatchObject(own);
    expect((await api.get(`/webhooks/${body.data.id}`)).body.data).toMatchObject(own);
    expect((await api.get('/users/me/webhooks')).body.data).toEqual([expect.objectContaining(own)]);
  });

  test.each([
    [Array.from({ length: 21 }, () => 1), 'retry_seconds', 'must have at most 20 numbers'],
    [[0], 'retry_seconds.0', 'must be at least 1'],
    [[86_401], 'retry_seconds.0', 'must be at most 86,400, a day in seconds'],
    [[1.5], 'retry_seconds.0', 'must be an integer'],
    [Array.from({ length: 8 }, () => 86_400), 'retry_seconds', 'must be at most 7 days together'],
    ['5', 'retry_seconds', 'must be an array of seconds'],
  ])('refuses the retries %j', async (retry_seconds, path, message) => {
    const { status, body } = await api.post('/webhooks', { url: 'https://example.org/in', retry_seconds });
    expect(status).toBe(400);
    expect(body).toMatchObject({ details: [{ path, message }] });
  });

  test('takes seven days of retries, and null for the schedule of the service', async () => {
    const week = Array.from({ length: 7 }, () => 86_400);
    const { body } = await api.post('/webhooks', { url: 'https://example.org/in', retry_seconds: week });
    expect(body.data).toMatchObject({ retry_seconds: week });
    expect((await api.put(`/webhooks/${body.data.id}`, { retry_seconds: null })).body.data).toMatchObject({
      retry_seconds: null,
    });
  });

  test('name and description are null when not given; the body does as well as the query, which wins', async () => {
    expect(await create()).toMatchObject({ name: null, description: null });
    const { body } = await api.post(
      '/webhooks',
      { url: 'https://a.example', name: 'body' },
      { query: { name: 'query' } },
    );
    expect(body.data).toMatchObject({ url: 'https://a.example', name: 'query' });
  });

  test.each([
    'http://example.org',
    'HTTPS://Example.org/x?y=1#z',
    'http://127.0.0.1:3000/path',
    'http://[::1]:8080/',
    'https://bücher.example/straße?q=ä',
    'https://例え.jp/道',
  ])('%s is valid, and shown as given', async (url) => {
    expect((await create({ url })).url).toBe(url);
  });

  test.each([
    'example.org',
    'ftp://example.org',
    'http:x',
    'http:/x',
    'https://',
    'https:///x',
    'http://:80/',
    'http://?x',
    'http:\\\\example.org',
    'http://example.org\\x',
    'http://exa mple.org',
    'http://example.org/a b',
    ' http://example.org',
    'http://example.org\n',
    'http://user@example.org',
    'http://user:pass@example.org/',
    'http://@example.org/',
    'http://example.org:99999',
    'http://example.org:port',
    'javascript:alert(1)',
    'https//example.org',
    'http://example.org:25',
    'https://example.org:0465/',
    'http://[2606:4700::1]:587/',
    'http://example.org:22/x',
  ])('%j is 400 invalid_url', async (url) => {
    const { status, body } = await api.call('POST', '/webhooks', { query: { url } });
    expect([status, body.code, body.details[0].path]).toEqual([400, 'invalid_url', 'url']);
  });

  test('a refused port is named', async () => {
    const { body } = await api.post('/webhooks', { url: 'https://mail.example.org:465/in' });
    expect(body.details).toEqual([
      { path: 'url', message: 'must not use port 465: the ports 22, 25, 465 and 587 are refused' },
    ]);
  });

  test('longest values are counted in characters', async () => {
    const name = '😀'.repeat(255);
    expect((await api.post('/webhooks', { url: 'https://a.example', name })).body.data.name).toBe(name);
    for (const body of [
      { name: `${name}x` },
      { description: 'd'.repeat(1_025) },
      { url: `https://a.example/${'x'.repeat(2_048)}` },
      { name: 'a\0b' },
      { name: '\udc00' },
    ]) {
      expect((await api.post('/webhooks', { url: 'https://a.example', ...body })).status).toBe(400);
    }
  });

  test('ten concurrent requests make ten', async () => {
    const made = await Promise.all(Array.from({ length: 10 }, () => create()));
    expect(new Set(made.map(({ id }: { id: string }) => id)).size).toBe(10);
    expect((await api.get('/users/me/webhooks')).body.page_info.total_count).toBe(10);
  });
});

describe('GET /users/me/webhooks', () => {
  test('newest first; after goes further down, before gives those nearest above', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 7; n += 1) ids.unshift((await create()).id);
    const list = async (query: Record<string, string | number>) => (await api.get('/users/me/webhooks', query)).body;
    const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);
    const first = await list({ limit: 3 });
    expect([idsOf(first), first.page_info.total_count, first.page_info.count]).toEqual([ids.slice(0, 3), 7, 3]);
    const second = await list({ limit: 3, after: first.page_info.end_cursor });
    expect(idsOf(second)).toEqual(ids.slice(3, 6));
    const third = await list({ limit: 3, after: second.page_info.end_cursor });
    expect(idsOf(third)).toEqual(ids.slice(6));
    const end = await list({ limit: 3, after: third.page_info.end_cursor });
    expect(end).toEqual({
      page_info: { total_count: 7, count: 0, start_cursor: null, end_cursor: null },
      data: [],
    });
    expect(idsOf(await list({ limit: 2, before: third.page_info.start_cursor }))).toEqual(ids.slice(4, 6));
    expect(idsOf(await list({ limit: 5, before: first.page_info.end_cursor }))).toEqual(ids.slice(0, 2));
    await api.delete(`/webhooks/${ids[2]}`);
    expect(idsOf(await list({ limit: 3, after: first.page_info.end_cursor }))).toEqual(ids.slice(3, 6));
  });

  test('a cursor of another list or user, or a forged one, is 400', async () => {
    await create();
    const mine = (await api.get('/users/me/webhooks')).body.page_info.end_cursor;
    const stranger = other.as((await aUser(cloud)).key);
    for (const response of [
      await stranger.get('/users/me/webhooks', { after: mine }),
      await api.get('/users/me/sources', { after: mine }),
      await api.get('/users/me/webhooks', { before: 'abc' }),
      await api.get('/users/me/webhooks', { after: `${mine}x` }),
      await api.get('/users/me/webhooks', { after: Buffer.from('wh_x.abc').toString('base64url') }),
    ]) {
      expect([response.status, response.body.code]).toEqual([400, 'invalid_cursor']);
    }
    expect((await api.get('/users/me/webhooks', { after: mine, before: mine })).status).toBe(400);
    expect((await api.get('/users/me/webhooks', { after: 'x'.repeat(513) })).status).toBe(400);
  });
});

describe('PUT and DELETE /webhooks/{id}', () => {
  test('events are marked for order while a webhook of their user is ordered, and no longer', async () => {
    const orderedWebhooks = orderedWebhookStore(tableOf(cloud));
    const ownerId = UserId.parse((await api.get('/users/me')).body.data.id);
    const isMarking = () => orderedWebhooks.hasAny(ownerId);
    const id = WebhookId.parse((await create()).id);
    expect(await isMarking()).toBe(false);
    await api.put(`/webhooks/${id}`, { ordered: true });
    // Another request that switched it off is late.
    await orderedWebhooks.remove({ ownerId, id });
    expect(await isMarking()).toBe(true);
    expect((await api.put(`/webhooks/${id}`, { ordered: false })).body.data.ordered).toBe(false);
    expect(await isMarking()).toBe(false);
    await api.put(`/webhooks/${id}`, { ordered: true });
    await api.delete(`/webhooks/${id}`);
    expect(await isMarking()).toBe(false);
  });

  test('PUT changes what is named and nothing else, from the body only', async () => {
    const made = await create({ url: 'https://a.example', name: 'n', description: 'd' });
    const put = async (body: object, query: Record<string, string> = {}) =>
      (await api.call('PUT', `/webhooks/${made.id}`, { body, query })).body.data;
    expect(await put({ active: false })).toMatchObject({
      active: false,
      name: 'n',
      url: 'https://a.example',
    });
    expect(await put({ active: true, name: 'm' }, { name: 'query' })).toMatchObject({
      active: true,
      name: 'm',
    });
    expect((await api.call('PUT', `/webhooks/${made.id}`, { query: { name: 'query' } })).status).toBe(400);
    expect(await put({ description: null, url: 'https://b.example' })).toMatchObject({
      description: null,
      url: 'https://b.example',
    });
    expect((await api.get(`/webhooks/${made.id}`)).body.data).toMatchObject({
      name: 'm',
      url: 'https://b.example',
      active: true,
    });
  });

  test.each([[{}], [{ active: 'maybe' }], [{ url: 'ftp://x' }], [{ url: null }], [{ name: 5 }], [{ secret: 'x' }]])(
    'PUT %j is 400',
    async (body) => {
      const made = await create();
      expect((await api.put(`/webhooks/${made.id}`, body)).status).toBe(400);
    },
  );

  test('DELETE is 204, then 404; its subscriptions and auto-subscriptions go with it', async () => {
    const made = await create();
    await api.post('/subscriptions', { emitter_id: 'dc_*', listener_id: made.id });
    await api.post('/auto_subscriptions', { event_name: '$errors', listener_id: made.id });
    const deleted = await api.delete(`/webhooks/${made.id}`);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect((await api.delete(`/webhooks/${made.id}`)).status).toBe(404);
    expect((await api.get(`/webhooks/${made.id}`)).status).toBe(404);
    expect((await api.get('/users/me/subscriptions')).body).toEqual({ data: [] });
    expect((await api.get('/users/me/auto_subscriptions')).body).toEqual({ data: [] });
    expect((await api.get('/users/me/webhooks')).body.page_info.total_count).toBe(0);
  });

  test('ten concurrent updates all response; one of ten concurrent deletions is 204, the others 404', async () => {
    const made = await create();
    const updates = await Promise.all(
      Array.from({ length: 10 }, (_, n) => api.put(`/webhooks/${made.id}`, { name: `n${n}` })),
    );
    expect(updates.every(({ status }) => status === 200)).toBe(true);
    const deletions = await Promise.all(Array.from({ length: 10 }, () => api.delete(`/webhooks/${made.id}`)));
    expect(deletions.map(({ status }) => status).sort()).toEqual([204, ...Array.from({ length: 9 }, () => 404)]);
  });

  test("another user's is 404, an id of another kind 400", async () => {
    const made = await create();
    for (const [method, body] of [['GET'], ['PUT', { name: 'x' }], ['DELETE']] as const) {
      expect((await other.call(method, `/webhooks/${made.id}`, { body })).status).toBe(404);
      expect((await api.call(method, '/webhooks/dc_abc', { body })).body.error).toBe(
        'id must be the id of a webhook (wh_…).',
      );
      expect((await api.call(method, '/webhooks/wh_never', { body })).status).toBe(404);
    }
  });
});
