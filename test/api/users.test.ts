import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { hashOfKey } from '../../shared/domain/user/key-hash.ts';
import { userStore } from '../../shared/store/users/users.ts';
import { type ApiClient, apiClient } from '../support/api-client.ts';
import { assemblyWith } from '../support/assembly-with.ts';
import { startTestCloud, type TestCloud } from '../support/cloud.ts';
import { emitter } from '../support/components.ts';
import { ECHO } from '../support/scene.ts';
import { aUser, tableOf } from '../support/stores.ts';
import { until } from '../support/until.ts';

let cloud: TestCloud;
let api: ApiClient;
beforeAll(async () => {
  cloud = await startTestCloud();
  api = await apiClient(cloud.base, cloud.key);
});
afterAll(() => cloud.stop());

test('a free user has its key and its quotas; runs are counted within seconds', async () => {
  const user = await aUser(cloud, 'free');
  const theirs = api.as(user.key);
  const { body } = await theirs.get('/users/me');
  expect(body).toEqual({
    data: {
      id: user.id,
      username: expect.stringMatching(/^somebody-/) as string,
      email: 'somebody@example.org',
      api_key: user.key,
      daily_compute_time_quota: expect.any(Number) as number,
      daily_compute_time_used: 0,
      daily_invocations_quota: expect.any(Number) as number,
      daily_invocations_used: 0,
    },
  });
  const { body: source } = await theirs.post('/sources', { component_code: emitter() });
  await theirs.post(`/sources/${source.data.id}/run`, {});
  const used = await until('the run is counted', async () => {
    const { body: now } = await theirs.get('/users/me');
    return now.data.daily_invocations_used > 0 && now.data;
  });
  expect(used.daily_compute_time_used).toBeGreaterThanOrEqual(1);
});

test('a paid user has exactly six fields; the first billing period begins when the plan became paid', async () => {
  const user = await aUser(cloud, 'paid');
  const { body } = await api.as(user.key).get('/users/me');
  const now = Date.now();
  expect(Object.keys(body.data)).toEqual([
    'id',
    'username',
    'email',
    'billing_period_start_ts',
    'billing_period_end_ts',
    'billing_period_invocations',
  ]);
  const [start, end] = [body.data.billing_period_start_ts, body.data.billing_period_end_ts];
  expect(Math.abs(start - now / 1000)).toBeLessThan(60);
  expect([28, 29, 30, 31]).toContain((end - start) / (24 * 60 * 60));
});

test('a new key works immediately; keys are stored as hashes only', async () => {
  const user = await aUser(cloud);
  expect((await api.as(user.key).get('/users/me')).status).toBe(200);
  const users = userStore(tableOf(cloud));
  const key = randomBytes(32).toString('base64url');
  expect(await users.rotateKey(user.id, hashOfKey(key))).toBe(true);
  expect((await api.as(key).get('/users/me')).body.data.api_key).toBe(key);
  expect(JSON.stringify(await users.find(user.id))).not.toContain(key);
});

test('over its quota a free user is refused with 429 and Retry-After', async () => {
  const user = await aUser(cloud);
  await userStore(tableOf(cloud)).setPlan(user.id, { plan: 'free', dailyInvocations: 0 });
  const theirs = api.as(user.key);
  const { body: source } = await theirs.post('/sources', { component_code: emitter() });
  const { status, body, headers } = await theirs.post(`/sources/${source.data.id}/run`, {});
  expect([status, body.code]).toEqual([429, 'quota_exceeded']);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
});

test("a stage's quota holds for its free users: 429 at the endpoint, and one $errors event a day", async () => {
  const small = await startTestCloud({ assembly: assemblyWith({ limits: { freeInvocations: 2 } }) });
  onTestFinished(() => small.stop());
  const user = await aUser(small, 'free');
  const theirs = (await apiClient(small.base, small.key)).as(user.key);
  const { body: source } = await theirs.post('/sources', { component_code: ECHO });
  const endpoint: string = source.data.configured_props.http.endpoint_url;
  const send = () => fetch(endpoint, { method: 'POST', body: '{}' });
  const refused = await until('the endpoint refuses', async () => {
    const response = await send();
    return response.status === 429 && response;
  });
  expect(await refused.json()).toMatchObject({ code: 'quota_exceeded' });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  for (let n = 0; n < 5; n += 1) expect((await send()).status).toBe(429);
  const errors = async () => {
    const { body } = await theirs.get(`/sources/${source.data.id}/event_summaries`, {
      event_name: '$errors',
    });
    return body.data as { event: { error: { code: string } } }[];
  };
  const [first] = await until('the source says so', async () => ((await errors()).length > 0 ? errors() : false));
  expect(first?.event.error.code).toBe('quota_exceeded');
  // The quota is a brake, not an exact count: what was accepted before the usage was added up still runs.
  expect((await errors()).length).toBe(1);
});
