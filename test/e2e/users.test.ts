import { afterAll, beforeAll, expect, test } from 'vitest';
import { FakeClock } from '../../infra/embedded/clock.ts';
import { operator } from '../support/operator.ts';
import { ECHO, Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

interface Made {
  id: string;
  username: string;
  email: string;
  api_key: string;
}

const START = Date.UTC(2031, 4, 14, 10);
const clock = new FakeClock(START);
let scene: Scene;
let run: ReturnType<typeof operator>;
beforeAll(async () => {
  scene = await Scene.open({ clock });
  run = operator(scene.cloud);
});
afterAll(() => scene.close());

const create = (username: string, plan: string) =>
  run<Made>('users create', { username, email: `${username}@example.com`, plan });

test('a free user has its key, quotas and usage; a run counts within seconds', async () => {
  const made = await create('free', 'free');
  const api = scene.api.as(made.api_key);
  const { body } = await api.get('/users/me');
  expect(body.data).toEqual({
    id: made.id,
    username: 'free',
    email: 'free@example.com',
    api_key: made.api_key,
    daily_compute_time_quota: expect.any(Number),
    daily_compute_time_used: 0,
    daily_invocations_quota: expect.any(Number),
    daily_invocations_used: 0,
  });
  const source = (await api.post('/sources', { component_code: ECHO })).body.data;
  await scene.send(source.configured_props.http.endpoint_url, { n: 1 });
  const used = await until('the run is counted', async () => {
    const { data } = (await api.get('/users/me')).body;
    return data.daily_invocations_used > 0 && data;
  });
  expect(used.daily_invocations_used).toBe(1);
  expect(used.daily_compute_time_used).toBeGreaterThanOrEqual(1);
});

test('a paid user has exactly six fields, with a billing period of a month around now', async () => {
  const made = await create('paid', 'paid');
  const api = scene.api.as(made.api_key);
  const { data } = (await api.get('/users/me')).body;
  expect(data).toEqual({
    id: made.id,
    username: 'paid',
    email: 'paid@example.com',
    billing_period_start_ts: expect.any(Number),
    billing_period_end_ts: expect.any(Number),
    billing_period_invocations: 0,
  });
  const now = clock.now() / 1_000;
  expect(data.billing_period_start_ts).toBeLessThanOrEqual(now);
  expect(data.billing_period_end_ts).toBeGreaterThan(now);
});

test('a rotated key works immediately, and the old one stops within 60 s', async () => {
  const made = await create('rotated', 'free');
  const status = async (key: string) => (await scene.api.as(key).get('/users/me')).status;
  expect(await status(made.api_key)).toBe(200);
  const next = await run<Made>('users rotate-key', { user: made.id });
  expect(await status(next.api_key)).toBe(200);
  clock.advance(60_000);
  expect(await status(made.api_key)).toBe(401);
  expect(await status(next.api_key)).toBe(200);
});

test("a deleted user's key stops within 60 s", async () => {
  const made = await create('deleted', 'free');
  const api = scene.api.as(made.api_key);
  expect((await api.get('/users/me')).status).toBe(200);
  await run('users delete', { user: made.id });
  clock.advance(60_000);
  expect((await api.get('/users/me')).status).toBe(401);
});

test('users list shows no key', async () => {
  const made = await create('listed', 'free');
  const all = JSON.stringify(await run('users list'));
  expect(all).toContain(made.id);
  expect(all).not.toContain(made.api_key);
});
