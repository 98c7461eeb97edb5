import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { SourceId, type UserId, WebhookId } from '../../shared/domain/id.ts';
import { HEALTHY } from '../../shared/domain/webhook/webhook-health.ts';
import { webhookStore } from '../../shared/store/subscriptions/webhooks.ts';
import { changeItem } from '../../shared/store/table/change-item.ts';
import { sourceKey } from '../../shared/store/table/keys.ts';
import { DAY_MS } from '../../shared/lib/durations.ts';
import { aWebhook } from '../support/a-webhook.ts';
import { type ApiClient, apiClient } from '../support/api-client.ts';
import { startTestCloud, type TestCloud } from '../support/cloud.ts';
import { emitter } from '../support/components.ts';
import { aUser, tableOf } from '../support/stores.ts';
import { until } from '../support/until.ts';

let cloud: TestCloud;
let client: ApiClient;
let api: ApiClient;
let ownerId: UserId;
beforeAll(async () => {
  cloud = await startTestCloud();
  client = await apiClient(cloud.base, cloud.key);
});
afterAll(() => cloud.stop());
beforeEach(async () => {
  const { id, key } = await aUser(cloud);
  [ownerId, api] = [id, client.as(key)];
});

const found = async (
  list: 'sources' | 'webhooks',
  query: Record<string, string | number>,
): Promise<[string[], number]> => {
  const { status, body } = await api.get(`/users/me/${list}`, query);
  expect(status).toBe(200);
  return [body.data.map(({ name }: { name: string }) => name), body.page_info.total_count];
};

test('webhooks are listed by their health, several names at once', async () => {
  const store = webhookStore(tableOf(cloud));
  const now = Date.now();
  const recent = now - DAY_MS;
  const made = {
    healthy: {},
    new: { health: { ...HEALTHY, renewedAt: now - 15 * DAY_MS } },
    failing: { health: { ...HEALTHY, failingSince: recent, slowSince: recent } },
    slow: { health: { ...HEALTHY, slowSince: recent } },
    resumed: { health: { ...HEALTHY, renewedAt: recent } },
    relapsed: { health: { ...HEALTHY, renewedAt: recent, failingSince: recent } },
    gone: { active: false, disabledReason: 'gone' },
    'failed for days': { active: false, disabledReason: 'failing', health: { ...HEALTHY, failingSince: recent } },
    'switched off': { active: false, disabledReason: 'owner', health: { ...HEALTHY, renewedAt: recent } },
  } as const;
  for (const [n, [name, fields]] of Object.entries(made).entries())
    await store.create(
      aWebhook({ id: WebhookId.parse(`wh_${ownerId.slice(2)}${9 - n}`), ownerId, name, ...fields }),
      100,
    );

  expect(await found('webhooks', { health: 'off' })).toEqual([['gone', 'failed for days'], 2]);
  expect(await found('webhooks', { health: 'failing' })).toEqual([['failing', 'relapsed'], 2]);
  expect(await found('webhooks', { health: 'slow' })).toEqual([['slow'], 1]);
  expect(await found('webhooks', { health: 'disabled' })).toEqual([['switched off'], 1]);
  expect(await found('webhooks', { health: 'healthy' })).toEqual([['healthy', 'new', 'resumed'], 3]);
  expect(await found('webhooks', { health: 'switched_on' })).toEqual([['resumed', 'relapsed'], 2]);
  expect(await found('webhooks', { health: 'off,disabled', limit: 2 })).toEqual([['gone', 'failed for days'], 3]);
  expect(await found('webhooks', { health: 'failing', q: 'RELAPSED' })).toEqual([['relapsed'], 1]);
  expect((await found('webhooks', {}))[1]).toBe(9);
});

test.each(['broken', 'off,', 'OFF', 'off failing'])('the health %j is 400, and names the others', async (health) => {
  const { status, body } = await api.get('/users/me/webhooks', { health });
  const message = 'must be one or more of off, failing, slow, disabled, healthy, switched_on, with commas between';
  expect([status, body.details]).toEqual([400, [{ path: 'health', message }]]);
});

test('sources are listed that failed since a time, or whose hook failed', async () => {
  const create = async (name: string, code = emitter()) =>
    (await api.post('/sources', { component_code: code, name })).body.data.id as string;
  const before = Date.now();
  await create('silent');
  const [works, fails] = [await create('works'), await create('fails')];
  await api.post(`/sources/${works}/run`, { emits: [[{ n: 1 }]] });
  await api.post(`/sources/${fails}/run`, { throws: 'no' });
  const since = async (time: string | number, more = {}) => found('sources', { failed_since: time, ...more });
  await until('the error is stored', async () => (await since(before))[1] === 1);

  expect(await since(before)).toEqual([['fails'], 1]);
  expect(await since(new Date(before).toISOString())).toEqual([['fails'], 1]);
  expect(await since(Date.now() + DAY_MS)).toEqual([[], 0]);
  expect(await since(before, { state: 'disabled' })).toEqual([[], 0]);
  expect(await since(before, { q: 'works' })).toEqual([[], 0]);
  const broken = SourceId.parse(await create('broken'));
  await changeItem(tableOf(cloud), sourceKey(broken), { change: { state: 'failed' } });
  expect(await since(Date.now() + DAY_MS)).toEqual([['broken'], 1]);
  const { status, body } = await api.get('/users/me/sources', { failed_since: 'yesterday' });
  expect([status, body.details]).toEqual([
    400,
    [{ path: 'failed_since', message: 'must be epoch milliseconds or an ISO 8601 time' }],
  ]);
});

test('no filter shows what belongs to another user', async () => {
  const store = webhookStore(tableOf(cloud));
  const { id } = await aUser(cloud);
  await store.create(aWebhook({ id: WebhookId.parse(`wh_${id.slice(2)}0`), ownerId: id, active: false }), 1);
  expect(await found('webhooks', { health: 'off,failing,slow,disabled,healthy,switched_on' })).toEqual([[], 0]);
});
