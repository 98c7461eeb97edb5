import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { UserId } from '../../shared/domain/id.ts';
import { auditLog } from '../../shared/store/users/audit-log.ts';
import { createTributary, type Tributary, TributaryError } from '../../shared/client/index.ts';
import { startTestCloud, type TestCloud } from '../support/cloud.ts';
import { aUser, tableOf } from '../support/stores.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud.stop());

let tributary: Tributary;
let userId: UserId;
let requested: string[];
beforeEach(async () => {
  requested = [];
  const { id, key } = await aUser(cloud);
  userId = id;
  tributary = createTributary({
    url: `${cloud.base}/`,
    key,
    fetch: (request) => {
      requested.push(`${request.method} ${new URL(request.url).search}`);
      return fetch(request);
    },
  });
});

const makeWebhook = (name: string) =>
  tributary.post('/v1/webhooks', { params: { query: { url: 'https://example.org/hook', name } } });

test('items gives every item of a list once, and reads pages only as far as the loop goes', async () => {
  for (let n = 0; n < 5; n += 1) await makeWebhook(`w${n}`);
  requested = [];
  const names: unknown[] = [];
  const lists = { params: { query: { limit: 2 } } };
  for await (const item of tributary.items('/v1/users/me/webhooks', lists)) names.push(item['name']);
  expect(names).toEqual(['w4', 'w3', 'w2', 'w1', 'w0']);
  expect(requested.length).toBeLessThanOrEqual(4);

  requested = [];
  await tributary.items('/v1/users/me/webhooks', lists).next();
  expect(requested).toEqual(['GET ?limit=2']);
});

test('items keeps the filters of a list on every page', async () => {
  for (const name of ['keep 1', 'drop 1', 'keep 2', 'drop 2', 'keep 3']) await makeWebhook(name);
  const names: unknown[] = [];
  const lists = { params: { query: { q: 'keep', limit: 1 } } };
  for await (const item of tributary.items('/v1/users/me/webhooks', lists)) names.push(item['name']);
  expect(names).toEqual(['keep 3', 'keep 2', 'keep 1']);
});

test('items goes on after an empty page of a filtered list that is not its last one', async () => {
  const log = auditLog(tableOf(cloud));
  const entry = { by: { kind: 'operator' as const }, ids: [], hidden: [], isShortened: false };
  await log.add(userId, { ...entry, at: Date.now(), operation: 'deleteSource' });
  for (let n = 0; n < 1_010; n += 1) await log.add(userId, { ...entry, at: Date.now(), operation: 'updateSource' });
  requested = [];
  const found: unknown[] = [];
  const only = { params: { query: { operation: 'deleteSource' } } };
  for await (const { number } of tributary.items('/v1/users/me/audit', only)) found.push(number);
  expect([found, requested.length]).toEqual([[1], 3]);
});

test('a refused request rejects with the code and the field that the service names', async () => {
  const refused = tributary.get('/v1/users/me/webhooks', { params: { query: { limit: 101 } } });
  await expect(refused).rejects.toBeInstanceOf(TributaryError);
  await expect(refused).rejects.toMatchObject({
    kind: 'invalid',
    code: 'invalid_request',
    status: 400,
    field: 'limit',
    requestId: expect.any(String) as string,
  });
});

test('delete resolves with nothing, and rejects when there is nothing to delete', async () => {
  const { data } = await makeWebhook('w');
  const id = String(data['id']);
  const init = { params: { path: { id } } };
  await expect(tributary.delete('/v1/webhooks/{id}', init)).resolves.toBeUndefined();
  await expect(tributary.delete('/v1/webhooks/{id}', init)).rejects.toMatchObject({ code: 'not_found' });
});

test('an address where nobody answers is an error of the kind unreachable', async () => {
  const nowhere = createTributary({ url: 'http://127.0.0.1:1', key: 'k', retries: 0 });
  await expect(nowhere.get('/v1/users/me')).rejects.toMatchObject({
    kind: 'unreachable',
    code: 'no_connection',
  });
});
