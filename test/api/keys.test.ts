import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureAdmin } from '../../bin/start-admin-user.ts';
import type { UserId } from '../../shared/domain/id.ts';
import { firstKeyId, MAX_KEYS, Scope } from '../../shared/domain/user/api-key.ts';
import { type ApiClient, apiClient } from '../support/api-client.ts';
import { startTestCloud, type TestCloud } from '../support/cloud.ts';
import { emitter } from '../support/components.ts';
import { adminJson, operator, operatorAt } from '../support/operator.ts';
import { aUser } from '../support/stores.ts';

let cloud: TestCloud;
let api: ApiClient;
beforeAll(async () => {
  cloud = await startTestCloud();
  api = await apiClient(cloud.base, cloud.key);
});
afterAll(() => cloud.stop());

/** A user, and clients with its first key and with one of these scopes. */
async function aUserWith(...scopes: string[]) {
  const user = await aUser(cloud);
  const first = api.as(user.key);
  const { status, body } = await first.post('/keys', { name: 'a key', scopes });
  expect(status).toBe(200);
  return { user, first, key: body.data, theirs: api.as(body.data.api_key) };
}

test('a key is created, listed without its secret, rotated with an overlap, and deleted', async () => {
  const { user, first, key, theirs } = await aUserWith('manage', 'read');
  expect(key).toEqual({
    id: expect.stringMatching(/^key_/) as string,
    name: 'a key',
    scopes: ['read', 'manage'],
    expires_at_ms: null,
    last_used_ms: null,
    overlap_until_ms: null,
    is_current: false,
    created_at: expect.any(Number) as number,
    api_key: expect.stringMatching(/^[\w-]{43}$/) as string,
  });
  const { body: listed } = await theirs.get('/keys');
  expect(listed.data).toMatchObject([
    { id: key.id, is_current: true, last_used_ms: expect.any(Number) as number },
    { id: firstKeyId(user.id), name: 'First key', scopes: Scope.options, is_current: false },
  ]);
  expect(JSON.stringify(listed)).not.toContain(key.api_key);
  const { body: rotated } = await first.post(`/keys/${key.id}/rotate`, { overlap_seconds: 60 });
  expect(rotated.data).toMatchObject({ id: key.id, scopes: key.scopes });
  const renewed = api.as(rotated.data.api_key);
  expect(
    (await Promise.all([theirs, renewed].map((each) => each.get('/keys/current')))).map(({ status }) => status),
  ).toEqual([200, 200]);
  expect((await renewed.delete(`/keys/${key.id}`)).body).toMatchObject({ code: 'key_in_use' });
  expect((await first.delete(`/keys/${key.id}`)).status).toBe(204);
  expect((await first.get('/keys')).body.data).toHaveLength(1);
  expect((await first.get('/users/me')).body.data.api_key).toBe(user.key);
  const logged = JSON.stringify(cloud.logs);
  for (const text of [key.api_key, rotated.data.api_key, user.key]) expect(logged).not.toContain(text);
});

test('a free user sees the key that it was called with', async () => {
  const { key, theirs } = await aUserWith('read');
  expect((await theirs.get('/users/me')).body.data.api_key).toBe(key.api_key);
});

test('a leaked key with the scope read makes, rotates and deletes no key, and changes nothing', async () => {
  const { user, first, key, theirs } = await aUserWith('read');
  const { body: source } = await first.post('/sources', { component_code: emitter() });
  const refused = [
    await theirs.post('/keys', { name: 'more', scopes: ['manage'] }),
    await theirs.post('/keys', { name: 'the same', scopes: ['read'] }),
    await theirs.post(`/keys/${firstKeyId(user.id)}/rotate`, {}),
    await theirs.post(`/keys/${key.id}/rotate`, {}),
    await theirs.delete(`/keys/${firstKeyId(user.id)}`),
    await theirs.delete(`/sources/${source.data.id}`),
  ];
  for (const { status, body } of refused)
    expect([status, body.code, body.details]).toEqual([
      403,
      'missing_scope',
      [{ path: 'scope', message: 'manage is missing' }],
    ]);
  expect((await theirs.post(`/sources/${source.data.id}/run`, {})).body.error).toContain('the scope send');
  expect((await theirs.get(`/sources/${source.data.id}`)).status).toBe(200);
});

test('a key with the scope send runs a source and reads nothing', async () => {
  const { first, theirs } = await aUserWith('send');
  const { body: source } = await first.post('/sources', { component_code: emitter() });
  expect((await theirs.post(`/sources/${source.data.id}/run`, {})).status).toBe(200);
  expect((await theirs.get('/users/me/sources')).body).toMatchObject({ code: 'missing_scope' });
  expect((await theirs.get('/keys/current')).body.data).toMatchObject({ scopes: ['send'], is_current: true });
});

test('a key of another user is unknown, and an unknown path is 404 with any scope', async () => {
  const { key } = await aUserWith('read');
  const other = await aUserWith('manage');
  expect((await other.theirs.delete(`/keys/${key.id}`)).status).toBe(404);
  expect((await other.theirs.post(`/keys/${key.id}/rotate`, {})).status).toBe(404);
  expect((await other.theirs.get('/nothing')).status).toBe(404);
});

test.each([
  [{ scopes: ['read'] }, 'name is required'],
  [{ name: '', scopes: ['read'] }, 'name is empty'],
  [{ name: 'a', scopes: [] }, 'must have at least one of read, send, manage, metrics'],
  [{ name: 'a', scopes: ['write'] }, 'must be read or send or manage or metrics'],
  [{ name: 'a', scopes: ['read'], expires_at_ms: 1 }, 'must be a time to come'],
  [{ name: 'a', scopes: ['read'], expires_at_ms: 9e15 }, 'must be a time in ms since the epoch'],
  [{ name: 'a', scopes: ['read'], expires_ms: 1 }, 'there is no field expires_ms'],
])('the new key %j is refused with a mend', async (body, message) => {
  const { first } = await aUserWith('read');
  const response = await first.post('/keys', body);
  expect([response.status, JSON.stringify(response.body)]).toEqual([400, expect.stringContaining(message)]);
});

test('an expired key is refused, and says that it expired', async () => {
  const { first } = await aUserWith('read');
  const { body } = await first.post('/keys', { name: 'short', scopes: ['read'], expires_at_ms: Date.now() + 2_000 });
  const short = api.as(body.data.api_key);
  expect((await short.get('/keys/current')).status).toBe(200);
  await expect
    .poll(async () => (await short.get('/keys/current')).body.error as string, { timeout: 10_000 })
    .toContain('This API key expired on');
});

test('a live token of a further key works until that key is deleted', async () => {
  const { first, key, theirs } = await aUserWith('read');
  const { body: source } = await first.post('/sources', { component_code: emitter() });
  const { body: token } = await theirs.post(`/sources/${source.data.id}/sse_tokens`, {});
  const open = async () => {
    const stop = new AbortController();
    const { status } = await fetch(token.data.url, { signal: stop.signal });
    stop.abort();
    return status;
  };
  expect(await open()).toBe(200);
  await first.delete(`/keys/${key.id}`);
  expect(await open()).toBe(401);
});

test('a start whose API_KEY is a further key of admin is refused with a mend', async () => {
  const { dispatch, outputs } = cloud.cloud.open;
  const start = (apiKey: string) => ensureAdmin({ dispatch, tableName: outputs['TableName'] ?? '', apiKey });
  const { body } = await api.post('/keys', { name: 'operator', scopes: ['read'] });
  await expect(start(body.data.api_key)).rejects.toThrow(
    'API_KEY is the key "operator" of the user admin, which is not its first one: delete that key, or set another one.',
  );
  await api.delete(`/keys/${body.data.id}`);
  await start(body.data.api_key);
  expect((await api.as(body.data.api_key).get('/keys/current')).body.data).toMatchObject({
    name: 'First key',
    scopes: Scope.options,
  });
  await start(cloud.key);
});

test('requests that change keys while their user is deleted leave no key that works', async () => {
  const { user, theirs } = await aUserWith(...Scope.options);
  const late: string[] = [];
  const change = async (by: ApiClient, path: string, body: object): Promise<void> => {
    const response = await by.post(path, body);
    if (response.status === 200) late.push(response.body.data.api_key);
  };
  const at = operatorAt(cloud);
  const removeListedKeys = async (id: UserId) => {
    await change(theirs, `/keys/${firstKeyId(id)}/rotate`, {});
    await at.users.removeListedKeys(id);
    for (const key of [...late]) await change(api.as(key), '/keys', { name: 'late', scopes: ['read'] });
  };
  await adminJson({ ...at, users: { ...at.users, removeListedKeys } }, ['users', 'delete', '--user', user.id]);
  expect(late).toEqual([]);
  expect((await theirs.post('/keys', { name: 'late', scopes: ['read'] })).status).toBe(401);
});

test('every secret of a user with 50 keys stops with a suspension, works again after it, and ends with the user', async () => {
  const user = await aUser(cloud);
  const texts = [user.key];
  for (let n = 1; n < MAX_KEYS; n += 1) {
    const { body } = await api.as(user.key).post('/keys', { name: 'a key', scopes: Scope.options });
    const rotated = await api.as(user.key).post(`/keys/${body.data.id}/rotate`, { overlap_seconds: 3_600 });
    texts.push(body.data.api_key, rotated.body.data.api_key);
  }
  const statuses = async () => {
    const responses = await Promise.all(texts.map((text) => api.as(text).get('/keys/current')));
    return [...new Set(responses.map(({ status }) => status))];
  };
  expect(await statuses()).toEqual([200]);
  await operator(cloud)('users suspend', { user: user.id });
  expect(await statuses()).toEqual([403]);
  await operator(cloud)('users resume', { user: user.id });
  expect(await statuses()).toEqual([200]);
  await operator(cloud)('users delete', { user: user.id });
  expect(await statuses()).toEqual([401]);
});
