import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../support/api-client.ts';
import { startTestCloud, type TestCloud } from '../support/cloud.ts';
import { echoComponent, KEYED_RELAY } from '../support/components.ts';
import { aUser, publish } from '../support/stores.ts';

let cloud: TestCloud;
let client: ApiClient;
let api: ApiClient;
beforeAll(async () => {
  cloud = await startTestCloud();
  client = await apiClient(cloud.base, cloud.key);
  const { body } = await client.post('/components', { component_code: KEYED_RELAY });
  await publish(cloud, body.data.id);
  NEW.sources.component_id = body.data.id;
});
afterAll(() => cloud.stop());
beforeEach(async () => {
  api = client.as((await aUser(cloud)).key);
});

const NEW = {
  /** Published, so that it is built once. No process runs it. */
  sources: { component_id: '' },
  webhooks: { url: 'https://example.org/in' },
};
type Kind = keyof typeof NEW;
const kinds: Kind[] = ['sources', 'webhooks'];

const create = async (kind: Kind, tags?: unknown, as = api) =>
  (await as.post(`/${kind}`, { ...NEW[kind], ...(tags === undefined ? {} : { tags }) })).body.data;
const found = async (kind: Kind, query: Record<string, string | number>, as = api) => {
  const { status, body } = await as.get(`/users/me/${kind}`, query);
  expect(status).toBe(200);
  return { ids: body.data.map(({ id }: { id: string }) => id), total: body.page_info.total_count };
};

describe.each(kinds)('tags of %s', (kind) => {
  test('are shown as given, without the spaces around them; none is an empty list', async () => {
    expect((await create(kind)).tags).toEqual([]);
    expect((await create(kind, null)).tags).toEqual([]);
    const tags = [' team:Zürich ', 'a/b_c-d.e', '日本 7', '__proto__', 'constructor'];
    const { id } = await create(kind, tags);
    const shown = ['team:Zürich', ...tags.slice(1)];
    expect((await api.get(`/${kind}/${id}`)).body.data.tags).toEqual(shown);
    expect((await api.get(`/users/me/${kind}`, { tag: '__proto__' })).body.data).toMatchObject([{ tags: shown }]);
  });

  test('stay when an update does not name them; null and [] clear them', async () => {
    const { id } = await create(kind, ['one']);
    const put = async (body: object) => (await api.put(`/${kind}/${id}`, body)).body.data.tags;
    expect(await put({ name: 'Renamed' })).toEqual(['one']);
    expect(await put({ active: false })).toEqual(['one']);
    expect(await put({ tags: ['two', 'three'] })).toEqual(['two', 'three']);
    expect(await put({ tags: [] })).toEqual([]);
    await put({ tags: ['four'] });
    expect(await put({ tags: null })).toEqual([]);
  });

  test.each([
    ['eleven', Array.from({ length: 11 }, (_, n) => `t${n}`), 'tags', 'must have at most 10 tags'],
    ['41 characters', ['x'.repeat(41)], 'tags.0', 'must have at most 40 characters'],
    ['an empty one', ['a', ' '], 'tags.1', 'must not be empty'],
    ['a comma', ['a,b'], 'tags.0', 'must have only letters, digits, spaces and the characters -_.:/'],
    ['a line break', ['a\nb'], 'tags.0', 'must have only letters, digits, spaces and the characters -_.:/'],
    ['half a surrogate pair', ['\ud800'], 'tags.0', 'must have only letters, digits, spaces and the characters -_.:/'],
    ['one twice', ['a', ' a'], 'tags', 'must not have a tag twice'],
    ['a number', [7], 'tags.0', 'must be a string'],
    ['a text', 'a', 'tags', 'must be an array'],
    ['an object', { 0: 'a' }, 'tags', 'must be an array'],
  ])('%s is 400 at creation and in an update, and changes nothing', async (_, tags, path, message) => {
    const { id } = await create(kind, ['kept']);
    const { status, body } = await api.post(`/${kind}`, { ...NEW[kind], tags });
    expect([status, body.details]).toEqual([400, [{ path, message }]]);
    expect((await api.put(`/${kind}/${id}`, { tags })).status).toBe(400);
    expect(await found(kind, {})).toEqual({ ids: [id], total: 1 });
    expect((await api.get(`/${kind}/${id}`)).body.data.tags).toEqual(['kept']);
  });

  test('ten of 40 characters are allowed; a character beyond 16 bits is one', async () => {
    const tags = Array.from({ length: 10 }, (_, n) => '𠮷'.repeat(39) + String(n));
    expect((await create(kind, tags)).tags).toEqual(tags);
  });

  test("`tag` lists the caller's own items with exactly this tag, beside `q`, with their count", async () => {
    const stranger = client.as((await aUser(cloud)).key);
    await create(kind, ['team'], stranger);
    const first = await create(kind, ['team', 'other']);
    await create(kind, ['Team', 'team:a']);
    const last = await create(kind, ['team']);
    expect(await found(kind, { tag: 'team' })).toEqual({ ids: [last.id, first.id], total: 2 });
    expect(await found(kind, { tag: 'team', limit: 1 })).toEqual({ ids: [last.id], total: 2 });
    expect(await found(kind, { tag: 'team', q: first.id })).toEqual({ ids: [first.id], total: 1 });
    expect(await found(kind, { tag: 'tea' })).toEqual({ ids: [], total: 0 });
    // An empty parameter counts as not given.
    expect((await found(kind, { tag: '' })).total).toBe(3);
    const { status, body } = await api.get(`/users/me/${kind}`, { tag: 'x'.repeat(41) });
    expect([status, body.details[0].path]).toEqual([400, 'tag']);
  });

  test("another user's are not found, and keep their tags", async () => {
    const { id } = await create(kind, ['mine']);
    const stranger = client.as((await aUser(cloud)).key);
    expect((await stranger.put(`/${kind}/${id}`, { tags: ['theirs'] })).status).toBe(404);
    expect((await api.get(`/${kind}/${id}`)).body.data.tags).toEqual(['mine']);
  });
});

test('an update in the form of the interface, a component and a name, leaves the tags of a source', async () => {
  const { id } = (await api.post('/sources', { ...NEW.sources, tags: ['one'] })).body.data;
  const { body } = await api.post('/components', { component_code: echoComponent({ name: 'Other' }) });
  const update = { component_id: body.data.id, name: 'Renamed' };
  expect((await api.put(`/sources/${id}`, update)).body.data).toMatchObject({ ...update, tags: ['one'] });
});
