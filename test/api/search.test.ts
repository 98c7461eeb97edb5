import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../support/api-client.ts';
import { startTestCloud, type TestCloud } from '../support/cloud.ts';
import { echoComponent } from '../support/components.ts';
import { aUser } from '../support/stores.ts';

let cloud: TestCloud;
let api: ApiClient;
let stranger: ApiClient;
beforeAll(async () => {
  cloud = await startTestCloud();
  const client = await apiClient(cloud.base, cloud.key);
  api = client.as((await aUser(cloud)).key);
  stranger = client.as((await aUser(cloud)).key);
});
afterAll(() => cloud.stop());

interface Item {
  id: string;
  name: string;
}
type Query = Record<string, string | number>;
const search = async (list: 'sources' | 'webhooks', query: Query, as = api) => {
  const { status, body } = await as.get(`/users/me/${list}`, query);
  expect(status).toBe(200);
  const items: Item[] = body.data;
  return { names: items.map(({ name }) => name), items, info: body.page_info };
};

describe('q= of GET /users/me/webhooks', () => {
  const made: Item[] = [];
  const create = async (name: string, url: string, as = api): Promise<Item> =>
    (await as.post('/webhooks', { name, url })).body.data;
  beforeAll(async () => {
    for (const [name, url] of [
      ['Billing', 'https://billing.example.org/a'],
      ['Überwachung', 'https://ops.example.org/b'],
      ['audit 1', 'https://Archive.example.org/c'],
      ['audit 2', 'https://archive.example.org/d'],
      ['audit 3', 'https://other.example.org/e'],
    ] as const)
      made.push(await create(name, url));
    await create('audit of a stranger', 'https://archive.example.org/', stranger);
  });

  test('finds by a part of id, name or URL, ignoring case, newest first', async () => {
    expect((await search('webhooks', { q: 'BILL' })).names).toEqual(['Billing']);
    expect((await search('webhooks', { q: 'üBER' })).names).toEqual(['Überwachung']);
    expect((await search('webhooks', { q: 'archive.EXAMPLE' })).names).toEqual(['audit 2', 'audit 1']);
    const { id, name } = made[1] ?? { id: '', name: '' };
    expect((await search('webhooks', { q: id.slice(2) })).names).toEqual([name]);
  });

  test('pages, cursors and total_count know what matches only', async () => {
    const first = await search('webhooks', { q: 'audit', limit: 2 });
    expect([first.names, first.info.total_count]).toEqual([['audit 3', 'audit 2'], 3]);
    const second = await search('webhooks', { q: 'audit', limit: 2, after: first.info.end_cursor });
    expect([second.names, second.info.total_count]).toEqual([['audit 1'], 3]);
    const back = await search('webhooks', { q: 'audit', limit: 2, before: second.info.start_cursor });
    expect(back.names).toEqual(['audit 3', 'audit 2']);
    const end = await search('webhooks', { q: 'audit', after: second.info.end_cursor });
    expect(end.info).toEqual({ total_count: 3, count: 0, start_cursor: null, end_cursor: null });
    expect((await search('webhooks', { q: 'nowhere' })).info).toMatchObject({ total_count: 0, count: 0 });
  });

  test('a cursor is a position, whatever q was when it was given', async () => {
    const { info } = await search('webhooks', { limit: 1 });
    expect((await search('webhooks', { q: 'bill', after: info.end_cursor })).names).toEqual(['Billing']);
  });

  test('empty is not given; more than 255 characters, NUL and two of them are 400', async () => {
    expect((await search('webhooks', { q: '' })).info.total_count).toBe(5);
    expect((await search('webhooks', { q: 'ü'.repeat(255) })).info.total_count).toBe(0);
    for (const query of [`q=${'x'.repeat(256)}`, 'q=a%00b', 'q=a&q=b']) {
      const { status, body } = await api.get('/users/me/webhooks', query);
      expect([status, body.code, body.details[0].path]).toEqual([400, 'invalid_request', 'q']);
    }
  });
});

describe('q= of GET /users/me/sources', () => {
  test('finds by a part of id, name, slug or endpoint, and counts what matches', async () => {
    const create = async (name: string, as = api) =>
      (await as.post('/sources', { component_code: echoComponent({}), name })).body.data;
    const first = await create('Café Orders');
    const second = await create('Tea Orders');
    await create('Tea Orders', stranger);
    await create('Ledger');
    expect((await search('sources', { q: 'ORDERS', limit: 1 })).info).toMatchObject({
      total_count: 2,
      count: 1,
    });
    expect((await search('sources', { q: 'cafe-' })).names).toEqual(['Café Orders']);
    expect((await search('sources', { q: 'CAFÉ' })).names).toEqual(['Café Orders']);
    expect((await search('sources', { q: second.id })).names).toEqual(['Tea Orders']);
    const { endpoint_url: url } = first.configured_props.http;
    expect((await search('sources', { q: url })).names).toEqual(['Café Orders']);
    await api.delete(`/sources/${second.id}`);
    expect((await search('sources', { q: 'orders' })).info.total_count).toBe(1);
  });
});

test.each(['/v1/users/me/sources', '/v1/users/me/webhooks'])('the document describes q of %s', (path) => {
  const { parameters = [] } = api.document.paths[path]?.['get'] ?? {};
  expect(parameters.find(({ name }) => name === 'q')).toMatchObject({
    in: 'query',
    required: false,
    description: expect.stringContaining('slug') as string,
    schema: { type: 'string', maxLength: 255 },
  });
});
