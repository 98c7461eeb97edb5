import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UserId } from '../../../shared/domain/id.ts';
import { createAuthenticator } from '../../../shared/http/authentication.ts';
import { echoComponent } from '../../support/components.ts';
import { deployed, Scene } from '../../support/scene.ts';
import { until } from '../../support/until.ts';
import { type OperatorAtWork, operatorThroughSocket } from './operator-of.ts';

interface Made {
  id: string;
  username: string;
  email: string;
  api_key: string;
}

let scene: Scene;
let admin: OperatorAtWork;
beforeAll(async () => {
  scene = await Scene.open();
  admin = await operatorThroughSocket(scene.cloud);
});
afterAll(async () => {
  await admin.close();
  await scene.close();
});

let created = 0;
const createAs = async (username: string, ...more: string[]): Promise<Made> =>
  (await admin.run(['users', 'create', '--username', username, '--email', 'ann@example.org', ...more])).json as Made;
const create = (...more: string[]): Promise<Made> => createAs(`ann-${(created += 1)}`, ...more);
const me = async (key: string) => (await scene.api.as(key).get('/users/me')).body.data;

describe('a new user', () => {
  test('is answered with its key, which works immediately', async () => {
    const made = await create();
    expect(made).toEqual({
      id: expect.stringMatching(/^u_[0-9a-z]{24}$/) as string,
      username: expect.stringMatching(/^ann-\d+$/) as string,
      email: 'ann@example.org',
      api_key: expect.stringMatching(/^[\w-]{43}$/) as string,
    });
    expect(await me(made.api_key)).toMatchObject({ ...made, daily_invocations_used: 0 });
  });

  test('is on the list, which shows no keys', async () => {
    const made = await create();
    const { json } = await admin.run(['users', 'list']);
    const text = await admin.text(['users', 'list']);
    expect(json).toContainEqual({
      id: made.id,
      username: made.username,
      email: 'ann@example.org',
      plan: 'free',
      created_at: expect.any(Number) as number,
    });
    expect(text).toContain(`${made.id}\t${made.username}\tann@example.org\tfree`);
    const { keyHash } = (await admin.operator.users.find(UserId.parse(made.id))) ?? {};
    for (const secret of [made.api_key, String(keyHash), 'key'])
      expect(JSON.stringify(json) + text).not.toContain(secret);
  });
});

/** Two users existed: other tools used the one of `--username`, and the next start created `admin`. */
describe('a user of a name that another user has', () => {
  test.each(['ann', 'admin'])('%s is refused, and nothing is left of it', async (username) => {
    if (username === 'ann') await createAs('ann');
    const { json } = await admin.run(['users', 'list']);
    await expect(createAs(username)).rejects.toThrow(new Error(`There is a user ${username} already.`));
    expect((await admin.run(['users', 'list'])).json).toEqual(json);
  });

  test('is refused when both are made concurrently', async () => {
    const both = await Promise.allSettled([createAs('twin'), createAs('twin')]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('is made once the other is deleted', async () => {
    const first = await createAs('reused');
    await admin.run(['users', 'delete', '--user', first.id]);
    expect(await createAs('reused')).toMatchObject({ username: 'reused' });
  });
});

describe('a rotated key', () => {
  test('works immediately; the old key stops working except in caches', async () => {
    const { api_key: old, ...made } = await create();
    const { json } = await admin.run(['users', 'rotate-key', '--user', made.id]);
    expect(json).toEqual({ ...made, api_key: expect.stringMatching(/^[\w-]{43}$/) as string });
    expect(await me((json as Made).api_key)).toMatchObject({ id: made.id });
    expect((await scene.api.as(old).get('/users/me')).status).toBe(401);
  });

  test('stops within 60 s where it was seen; so does that of a deleted user', async () => {
    let now = 0;
    const authenticate = createAuthenticator(admin.operator.users, () => now);
    const [rotated, removed] = [await create(), await create()];
    const uses = [rotated, removed].map(
      ({ api_key: key }) =>
        () =>
          authenticate({ authorization: `Bearer ${key}`, sentFrom: undefined }),
    );
    for (const use of uses) await use();
    await admin.run(['users', 'rotate-key', '--user', rotated.id]);
    await admin.run(['users', 'delete', '--user', removed.id]);
    now = 60_000;
    await expect(uses[0]?.()).rejects.toThrow('A newer API key replaced this one');
    await expect(uses[1]?.()).rejects.toThrow('This API key is not valid');
  });

  test('needs a user', async () => {
    await expect(admin.run(['users', 'rotate-key', '--user', 'u_nobody'])).rejects.toThrow(
      new Error('There is no user u_nobody.'),
    );
  });
});

describe('the plan', () => {
  const six = [
    'id',
    'username',
    'email',
    'billing_period_start_ts',
    'billing_period_end_ts',
    'billing_period_invocations',
  ];

  test('of a user may be paid from the beginning: six fields, no key', async () => {
    const { api_key: key } = await create('--plan', 'paid');
    expect(Object.keys(await me(key))).toEqual(six);
  });

  test('that becomes paid is billed from that moment; a repeat changes nothing; a free user has its key and quotas', async () => {
    const { id, api_key: key } = await create();
    const theirs = scene.api.as(key);
    const { body } = await theirs.post('/sources', { component_code: echoComponent() });
    await theirs.post(`/sources/${body.data.id}/run`, {});
    await until('the run is counted', async () => (await me(key)).daily_invocations_used === 1);

    const before = Math.floor(Date.now() / 1000);
    const paid = ['users', 'set-plan', '--user', id, '--plan', 'paid'];
    expect((await admin.run(paid)).json).toEqual({ id, plan: 'paid' });
    const first = await me(key);
    expect(Object.keys(first)).toEqual(six);
    expect(first.billing_period_start_ts).toBeGreaterThanOrEqual(before);
    expect(first.billing_period_invocations).toBe(0);
    await theirs.post(`/sources/${body.data.id}/run`, {});
    await until('a run is billed', async () => (await me(key)).billing_period_invocations === 1);
    await admin.run(paid);
    expect(await me(key)).toEqual({ ...first, billing_period_invocations: 1 });

    await admin.run(['users', 'set-plan', '--user', id, '--plan', 'free']);
    expect(await me(key)).toMatchObject({ api_key: key, daily_invocations_used: 2 });
  });

  test('needs a user', async () => {
    await expect(admin.run(['users', 'set-plan', '--user', 'u_nobody', '--plan', 'paid'])).rejects.toThrow(
      new Error('There is no user u_nobody.'),
    );
  });
});

test.each([
  ['--invocations', '1', 'daily_invocations_quota'],
  ['--compute-ms', '1', 'daily_compute_time_quota'],
])('over a quota of %s %s the endpoint answers 429 with Retry-After', async (option, quota, field) => {
  const { id, api_key: key } = await create();
  await admin.run(['users', 'set-plan', '--user', id, '--plan', 'free', option, quota]);
  expect((await me(key))[field]).toBe(Number(quota));
  const { body } = await scene.api.as(key).post('/sources', { component_code: echoComponent() });
  const { endpoint } = deployed(body.data);
  expect((await scene.send(endpoint)).status).toBe(200);
  const refused = await until('the quota is used up', async () => {
    const response = await scene.send(endpoint);
    return response.status !== 200 && response;
  });
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({ code: 'quota_exceeded' });
  const untilMidnight = (86_400_000 - (Date.now() % 86_400_000)) / 1000;
  expect(Math.abs(Number(refused.headers.get('retry-after')) - untilMidnight)).toBeLessThan(5);
});
