import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../support/api-client.ts';
import { startTestCloud, type TestCloud } from '../support/cloud.ts';
import { KEYED_RELAY } from '../support/components.ts';
import { aUser, publish } from '../support/stores.ts';

let cloud: TestCloud;
let admin: ApiClient;
let api: ApiClient;
let webhook: string;
let source: string;
let component: string;
beforeAll(async () => {
  cloud = await startTestCloud();
  admin = await apiClient(cloud.base, cloud.key);
  component = (await admin.post('/components', { component_code: KEYED_RELAY })).body.data.id;
  await publish(cloud, component);
});
afterAll(() => cloud.stop());
beforeEach(async () => {
  api = admin.as((await aUser(cloud)).key);
  webhook = (await api.post('/webhooks', { url: 'http://127.0.0.1:9/' })).body.data.id;
  source = (await api.post('/sources', { component_id: component })).body.data.id;
});

const FILTER = { type: ['paid'], amount: [{ numeric: ['>', 10] }] };
const OTHER = { type: ['refunded'] };

describe('the filter of a subscription', () => {
  const subscribe = (more: object) => api.post('/subscriptions', { emitter_id: source, listener_id: webhook, ...more });
  const list = async () => (await api.get('/users/me/subscriptions')).body.data;

  test('is an object in the body, and is shown', async () => {
    const { body } = await subscribe({ filter: FILTER });
    expect(body.data.filter).toEqual(FILTER);
    expect(await list()).toEqual([body.data]);
  });

  test('is JSON text in the query, which wins over the body', async () => {
    const { body } = await api.post(
      '/subscriptions',
      { filter: OTHER },
      { query: { emitter_id: source, listener_id: webhook, filter: JSON.stringify(FILTER) } },
    );
    expect(body.data.filter).toEqual(FILTER);
  });

  test('another one replaces it, and none removes it; the id stays', async () => {
    const { id } = (await subscribe({ filter: FILTER })).body.data;
    expect((await subscribe({ filter: OTHER })).body.data).toMatchObject({ id, filter: OTHER });
    expect(await list()).toMatchObject([{ id, filter: OTHER }]);
    for (const none of [{}, { filter: null }, { filter: '' }]) {
      await subscribe({ filter: FILTER });
      const { data } = (await subscribe(none)).body;
      expect(data.id).toBe(id);
      expect(data).not.toHaveProperty('filter');
      expect(await list()).toEqual([data]);
    }
  });

  test('is the same for both lists and for repeated requests at once', async () => {
    const responses = await Promise.all([FILTER, OTHER, FILTER, OTHER].map((filter) => subscribe({ filter })));
    expect(new Set(responses.map(({ body }) => body.data.id)).size).toBe(1);
    expect(await list()).toHaveLength(1);
  });

  test.each([
    [{}, 'filter', 'filter must name at least one field.'],
    [[], 'filter', 'filter must be a JSON object of fields.'],
    ['{"a":', 'filter', 'filter must be a JSON object of fields.'],
    [{ a: [] }, 'filter.a', 'filter.a must not be empty.'],
    [{ a: 'x' }, 'filter.a', 'filter.a must be an array of values, or an object of fields.'],
    [
      { a: { b: [{ wildcard: '**' }] } },
      'filter.a.b.0.wildcard',
      'filter.a.b.0.wildcard must not contain **: one * stands for any characters.',
    ],
    [{ a: ['x'.repeat(4_096)] }, 'filter', 'filter must have at most 4096 bytes as compact JSON.'],
  ])('%j is a 400 that names %s', async (filter, path, error) => {
    const { status, body } = await subscribe({ filter });
    expect([status, body.code, body.error, body.details[0].path]).toEqual([400, 'invalid_request', error, path]);
    expect(await list()).toEqual([]);
  });
});

describe('the filter of an auto-subscription', () => {
  const subscribe = (more: object) =>
    api.post('/auto_subscriptions', { event_name: 'default', listener_id: webhook, ...more });

  test('is that of the subscriptions it makes; a changed one holds for later emitters only', async () => {
    const { id } = (await subscribe({ filter: FILTER })).body.data;
    const first = (await api.post('/sources', { component_id: component })).body.data.id;
    const { body } = await subscribe({ filter: OTHER });
    expect(body.data).toMatchObject({ id, filter: OTHER });
    expect((await api.get('/users/me/auto_subscriptions')).body.data).toEqual([body.data]);
    const second = (await api.post('/sources', { component_id: component })).body.data.id;
    const { data } = (await api.get('/users/me/subscriptions')).body;
    expect(data).toMatchObject([
      { emitter_id: second, filter: OTHER },
      { emitter_id: first, filter: FILTER },
    ]);
    expect((await subscribe({})).body.data).not.toHaveProperty('filter');
  });

  test('a wrong one is a 400', async () => {
    const { status, body } = await subscribe({ filter: { a: 1 } });
    expect([status, body.details[0].path]).toEqual([400, 'filter.a']);
  });
});
