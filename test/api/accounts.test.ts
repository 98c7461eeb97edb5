import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accountStore } from '../../shared/store/accounts/accounts.ts';
import { accountKey, countsKey } from '../../shared/store/table/keys.ts';
import { AccountId, type UserId } from '../../shared/domain/id.ts';
import type { ApiClient } from '../support/api-client.ts';
import { component, expectNoField, EVERY, named } from '../support/canary-account.ts';
import { testAssembly } from '../support/cloud.ts';
import { operator } from '../support/operator.ts';
import { Scene } from '../support/scene.ts';
import { aUser, publish, tableOf } from '../support/stores.ts';
import { until } from '../support/until.ts';

let scene: Scene;
let admin: ReturnType<typeof operator>;
let api: ApiClient;
let me: UserId;
/** Another user. */
let stranger: ApiClient;
beforeAll(async () => {
  scene = await Scene.open({ assembly: testAssembly({ logLevel: 'info' }) });
  admin = operator(scene.cloud);
  stranger = scene.api.as((await aUser(scene.cloud)).key);
});
afterAll(() => scene.close());
beforeEach(async () => {
  const user = await aUser(scene.cloud);
  [api, me] = [scene.api.as(user.key), user.id];
});

const FIELDS = { token: 't' };
const add = async (more: object = {}) => {
  const { status, body } = await api.post('/accounts', { app: 'some_app', fields: FIELDS, ...more });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
};
const idOf = async (more?: object): Promise<string> => (await add(more)).id;
const shown = async (id: string) => (await api.get(`/accounts/${id}`)).body.data;

const USING = component(
  'props: { app }, run() { this.$emit({ auth: this.app.$auth, names: Object.keys(this.app.$auth) }); }',
);
const source = async (account: string, more: object = {}): Promise<string> => {
  const { body } = await api.post('/sources', {
    component_code: USING,
    configured_props: named(account),
    ...more,
  });
  return body.data.id;
};

describe('POST /accounts', () => {
  test('answers with the account, exactly the documented members and no value of a field', async () => {
    const before = Math.floor(Date.now() / 1_000);
    const { body, text } = await api.post('/accounts', { app: 'some_app', name: 'Mine', fields: EVERY });
    expect(body).toEqual({
      data: {
        id: expect.stringMatching(/^apn_[0-9a-z]{24}$/) as string,
        app: 'some_app',
        name: 'Mine',
        kind: 'fields',
        field_names: Object.keys(EVERY),
        status: 'connected',
        status_reason: null,
        scopes: null,
        expires_at_ms: null,
        connected_at_ms: null,
        renewed_at_ms: null,
        created_at: expect.any(Number) as number,
        used_by: 0,
      },
    });
    expect(body.data.created_at).toBeGreaterThanOrEqual(before);
    expectNoField(text);
    expect(await shown(body.data.id)).toEqual(body.data);
    expect((await api.get('/users/me/accounts')).body.data).toEqual([body.data]);
  });

  test('a name is the slug of the app by default, then with the smallest free number, for each app and user', async () => {
    const names = [(await add()).name, (await add()).name, (await add()).name];
    expect(names).toEqual(['some_app', 'some_app-1', 'some_app-2']);
    expect((await add({ app: 'other_app' })).name).toBe('other_app');
    const { body } = await stranger.post('/accounts', { app: 'some_app', fields: FIELDS });
    expect(body.data.name).toBe('some_app');
  });

  test('a name that was freed is given again', async () => {
    await add();
    const second = await idOf();
    await add();
    await api.delete(`/accounts/${second}`);
    expect((await add()).name).toBe('some_app-1');
  });

  test('a given name that is taken is 409 name_taken, and free for another app', async () => {
    await add({ name: 'Work' });
    const { status, body } = await api.post('/accounts', { app: 'some_app', name: 'Work', fields: FIELDS });
    expect([status, body.code, body.details[0].path]).toEqual([409, 'name_taken', 'name']);
    expect(body.error).toBe('Another account of some_app has the name "Work". Choose another name.');
    expect((await add({ app: 'other_app', name: 'Work' })).name).toBe('Work');
    expect((await api.get('/users/me/accounts')).body.page_info.total_count).toBe(2);
  });

  test('several requests at once for one name store one account', async () => {
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => api.post('/accounts', { app: 'some_app', name: 'Work', fields: FIELDS })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(409)]);
    expect((await api.get('/users/me/accounts')).body.page_info.total_count).toBe(1);
  });

  test('several requests at once for the default name get a number each', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => add()));
    const expected = ['some_app', ...[1, 2, 3, 4, 5, 6, 7].map((n) => `some_app-${n}`)];
    expect(made.map(({ name }) => name as string).sort()).toEqual(expected);
  });

  const NAMES = 'must have a name of 1 to 64 letters, digits, _, - and .';
  test.each<[string, object, string, string]>([
    ['no app', { app: undefined }, 'app', 'is required'],
    ['an app that is no slug', { app: 'My App' }, 'app', 'must be the slug of an app, like my_app'],
    ['an empty name', { name: '' }, 'name', 'must not be empty'],
    ['a long name', { name: 'x'.repeat(256) }, 'name', 'must have at most 255 characters'],
    ['no fields', { fields: undefined }, 'fields', 'must be an object of strings'],
    ['fields as an array', { fields: ['t'] }, 'fields', 'must be an object of strings'],
    ['fields without any', { fields: {} }, 'fields', 'must have 1 to 50 names'],
    [
      '51 fields',
      { fields: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`f${n}`, 'x'])) },
      'fields',
      'must have 1 to 50 names',
    ],
    [
      'more than 64 KB',
      { fields: { a: 'x'.repeat(40_000), b: 'ü'.repeat(13_000) } },
      'fields',
      'must have at most 64 KB together',
    ],
    ['a number', { fields: { token: 5 } }, 'fields.token', 'must be a string'],
    ['null', { fields: { token: null } }, 'fields.token', 'must be a string'],
    ['a NUL', { fields: { token: 'a\0b' } }, 'fields.token', 'must not contain a NUL character'],
    ['half a pair', { fields: { token: '\ud800' } }, 'fields.token', 'must not contain half of a surrogate pair'],
    ['a name with a space', { fields: { 'my token': 't' } }, 'fields.my token', NAMES],
    ['an empty name of a field', { fields: { '': 't' } }, 'fields.', NAMES],
    ['a long name of a field', { fields: { [`${'x'.repeat(65)}`]: 't' } }, `fields.${'x'.repeat(64)}`, NAMES],
    ['a member that there is not', { field: FIELDS }, '', 'there is no field field. The fields are app, name, fields'],
  ])('%s is 400, with the field and the mend, and stores nothing', async (_, wrong, path, message) => {
    const { status, body } = await api.post('/accounts', { app: 'some_app', fields: FIELDS, ...wrong });
    expect([status, body.code]).toEqual([400, 'invalid_request']);
    expect(body.details).toContainEqual({ path, message });
    expect((await api.get('/users/me/accounts')).body.data).toEqual([]);
  });

  test('the field __proto__ is 400, other names of JavaScript are fields like others', async () => {
    const raw = (fields: string) => api.call('POST', '/accounts', { raw: `{"app":"some_app","fields":${fields}}` });
    const { status, body } = await raw('{"__proto__":"x"}');
    expect([status, body.details]).toEqual([
      400,
      [{ path: 'fields.__proto__', message: 'must have another name: this one is reserved' }],
    ]);
    const { body: made } = await raw('{"constructor":"a","toString":"b"}');
    expect(made.data.field_names).toEqual(['constructor', 'toString']);
  });

  test('50 fields, names of 64 characters and 64 KB are allowed', async () => {
    const names = Array.from({ length: 50 }, (_, n) => `a.b-c_${n}`.padEnd(64, 'x'));
    expect((await add({ fields: Object.fromEntries(names.map((name) => [name, ''])) })).field_names).toEqual(names);
    await add({ fields: { a: 'x'.repeat(64 * 1024 - '{"a":""}'.length) } });
  });

  test('the 1,001st account is 409 limit_reached; an account that is removed makes room', async () => {
    const id = await idOf();
    const { dynamo, tableName } = tableOf(scene.cloud);
    await dynamo.send(
      new UpdateCommand({
        TableName: tableName,
        Key: countsKey(me),
        UpdateExpression: 'SET accounts = :count',
        ExpressionAttributeValues: { ':count': 1_000 },
      }),
    );
    const { status, body } = await api.post('/accounts', { app: 'some_app', fields: FIELDS });
    expect([status, body.code, body.error]).toEqual([
      409,
      'limit_reached',
      'You have reached the limit of 1000 accounts. Delete one.',
    ]);
    await api.delete(`/accounts/${id}`);
    await add();
    expect((await api.post('/accounts', { app: 'some_app', fields: FIELDS })).status).toBe(409);
  });
});

describe('PUT /accounts/{id}', () => {
  test('changes the name, which must be free, and frees the old one', async () => {
    const id = await idOf({ name: 'One' });
    await add({ name: 'Two' });
    const taken = await api.put(`/accounts/${id}`, { name: 'Two', fields: { token: 'new', more: 'x' } });
    expect([taken.status, taken.body.code]).toEqual([409, 'name_taken']);
    expect(await shown(id)).toMatchObject({ name: 'One', field_names: ['token'] });
    const { body } = await api.put(`/accounts/${id}`, { name: 'Three' });
    expect(body.data).toEqual(await shown(id));
    expect(body.data.name).toBe('Three');
    expect((await add({ name: 'One' })).name).toBe('One');
    expect((await api.put(`/accounts/${id}`, { name: 'Three' })).body.data.name).toBe('Three');
  });

  test('merges fields into those there, and null removes one; a run that starts afterwards gets them', async () => {
    const id = await idOf({ fields: { token: 'one', region: 'eu', zone: 'z' } });
    const running = await source(id);
    const seen = async (count: number) => {
      await api.post(`/sources/${running}/run`, {});
      return until('the run has ended', async () => {
        const { body } = await api.get(`/sources/${running}/event_summaries`, { expand: 'event' });
        return body.data.length === count && body.data[0].event;
      });
    };
    expect((await seen(1)).names).toEqual(['token', 'region', 'zone']);
    const { body } = await api.put(`/accounts/${id}`, {
      fields: { region: 'us', zone: null, extra: 'e', none: null },
    });
    expect(body.data.field_names).toEqual(['token', 'region', 'extra']);
    expect(await seen(2)).toMatchObject({ names: ['token', 'region', 'extra'], auth: { region: 'us' } });
  });

  test('without a change stores nothing', async () => {
    const id = await idOf({ name: 'One' });
    const accounts = accountStore(tableOf(scene.cloud));
    const stored = () => accounts.find(AccountId.parse(id));
    const before = await stored();
    await api.put(`/accounts/${id}`, { name: 'One', fields: { token: 't', none: null } });
    expect(await stored()).toEqual(before);
  });

  test.each<[string, object, string, string]>([
    ['nothing', {}, '', 'one of name, fields is required'],
    ['another app', { app: 'x', name: 'n' }, '', 'there is no field app. The fields are name, fields'],
    ['an empty name', { name: '' }, 'name', 'must not be empty'],
    ['the removal of the last field', { fields: { token: null } }, 'fields', 'must have 1 to 50 names'],
    ['a number', { fields: { token: 5 } }, 'fields.token', 'must be a string'],
    [
      'too many fields with those there',
      { fields: Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`f${n}`, 'x'])) },
      'fields',
      'must have 1 to 50 names',
    ],
    [
      'more than 64 KB with those there',
      { fields: { a: 'x'.repeat(64 * 1024 - '{"a":""}'.length) } },
      'fields',
      'must have at most 64 KB together',
    ],
  ])('%s is 400 and changes nothing', async (_, wrong, path, message) => {
    const id = await idOf();
    const { status, body } = await api.put(`/accounts/${id}`, wrong);
    expect([status, body.details]).toEqual([400, [{ path, message }]]);
    expect(await shown(id)).toMatchObject({ name: 'some_app', field_names: ['token'] });
  });

  test('an account of kind oauth takes no field that its provider fills, and any other', async () => {
    const id = await idOf({ fields: { oauth_access_token: 't', oauth_uid: '1' } });
    const accounts = accountStore(tableOf(scene.cloud));
    const account = await accounts.find(AccountId.parse(id));
    if (!account) expect.fail('the account is not stored');
    await accounts.change(account, {
      oauth: {
        client: 'oc_1' as never,
        clientId: 'c',
        scopes: ['read', 'write'],
        parameters: {},
        providedFields: ['oauth_access_token', 'oauth_uid'],
        status: 'expiring',
        statusReason: 'The provider answered with status 500.',
        connectedAt: 1,
        renewedAt: 2,
        expiresAt: 3,
      },
    });
    for (const value of ['mine', null]) {
      const { status, body } = await api.put(`/accounts/${id}`, { fields: { oauth_uid: value, own: 'x' } });
      expect([status, body.details]).toEqual([
        400,
        [{ path: 'fields.oauth_uid', message: 'must not be set: the provider of the app fills it' }],
      ]);
    }
    await api.put(`/accounts/${id}`, { name: 'Signed in', fields: { own: 'x' } });
    expect(await shown(id)).toMatchObject({
      name: 'Signed in',
      kind: 'oauth',
      field_names: ['oauth_access_token', 'oauth_uid', 'own'],
      status: 'expiring',
      status_reason: 'The provider answered with status 500.',
      scopes: ['read', 'write'],
      connected_at_ms: 1,
      renewed_at_ms: 2,
      expires_at_ms: 3,
    });
    expect((await api.put(`/accounts/${id}`, { fields: { own: null } })).status).toBe(200);
  });

  test('changes at once are all kept', async () => {
    const id = await idOf({ name: 'One' });
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, n) => api.put(`/accounts/${id}`, { fields: { [`f${n}`]: 'x' }, name: `N${n}` })),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const { field_names: names, name } = await shown(id);
    expect(names.sort()).toEqual(['f0', 'f1', 'f2', 'f3', 'f4', 'f5', 'f6', 'f7', 'token']);
    // Only the last name is taken.
    const { status } = await api.post('/accounts', { app: 'some_app', name, fields: FIELDS });
    expect(status).toBe(409);
    for (const other of ['One', ...[0, 1, 2, 3, 4, 5, 6, 7].map((n) => `N${n}`)])
      if (other !== name) await add({ name: other });
  });
});

describe('DELETE /accounts/{id}', () => {
  test('is 204, then 404; of several at once one is 204', async () => {
    const id = await idOf();
    const responses = await Promise.all(Array.from({ length: 4 }, () => api.delete(`/accounts/${id}`)));
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404]);
    expect((await api.get(`/accounts/${id}`)).status).toBe(404);
    expect((await api.get('/users/me/accounts')).body.page_info.total_count).toBe(0);
  });

  test('while its name changes leaves no name behind', async () => {
    const id = await idOf({ name: 'One' });
    await Promise.all([
      api.delete(`/accounts/${id}`),
      ...[2, 3, 4].map((n) => api.put(`/accounts/${id}`, { name: `N${n}` })),
    ]);
    expect((await api.get(`/accounts/${id}`)).status).toBe(404);
    for (const name of ['One', 'N2', 'N3', 'N4']) await add({ name });
  });

  test('of an account in use is 409 and names up to 10 sources; force=true removes it, and the sources stay', async () => {
    const id = await idOf();
    const using: string[] = [];
    for (let n = 0; n < 12; n += 1) using.push(await source(id, { name: `Source ${n}` }));
    expect((await shown(id)).used_by).toBe(12);
    const { status, body } = await api.delete(`/accounts/${id}`);
    expect([status, body.code]).toEqual([409, 'account_in_use']);
    const names = using.map((one, n) => `source-${n} (${one})`).reverse();
    expect(body.error).toBe(
      `The account ${id} is used by the sources ${names.slice(0, 10).join(', ')}, 2 more. Give them another account, or delete it with force=true.`,
    );
    expect((await api.delete(`/accounts/${id}`, { force: 'false' })).status).toBe(409);
    expect((await api.delete(`/accounts/${id}`, { force: 'yes' })).body.details).toEqual([
      { path: 'force', message: 'must be true or false' },
    ]);
    expect((await api.delete(`/accounts/${id}`, { force: 'true' })).status).toBe(204);
    const { body: left } = await api.get(`/sources/${using[0]}`);
    expect(left.data.configured_props).toEqual(named(id));
  });

  test('counts sources whose app props name it, and no longer those that got another account or were deleted', async () => {
    const [id, other] = [await idOf(), await idOf()];
    const [first, second] = [await source(id), await source(id)];
    const counts = async () => {
      const { body } = await api.get('/users/me/accounts');
      return Object.fromEntries(body.data.map((one: { id: string; used_by: number }) => [one.id, one.used_by]));
    };
    expect(await counts()).toEqual({ [id]: 2, [other]: 0 });
    await api.put(`/sources/${first}`, { configured_props: named(other) });
    expect(await counts()).toEqual({ [id]: 1, [other]: 1 });
    await api.delete(`/sources/${second}`);
    expect(await counts()).toEqual({ [id]: 0, [other]: 1 });
    expect((await api.delete(`/accounts/${id}`)).status).toBe(204);
  });
});

describe("another user's account", () => {
  test('is 404 like an unknown one, by every method, and stays', async () => {
    const id = await idOf();
    for (const path of [`/accounts/${id}`, '/accounts/apn_unknown']) {
      const responses = [
        await stranger.get(path),
        await stranger.put(path, { name: 'x' }),
        await stranger.delete(path),
        await stranger.delete(path, { force: 'true' }),
      ];
      const [, , unknown] = path.split('/');
      for (const { status, body } of responses)
        expect([status, body.code, body.error]).toEqual([404, 'not_found', `There is no account ${unknown}.`]);
    }
    expect((await shown(id)).name).toBe('some_app');
    expect((await stranger.get('/users/me/accounts', { q: id })).body.data).toEqual([]);
    expect((await api.get('/accounts/wh_1')).body.details).toEqual([
      { path: 'id', message: 'must be the id of an account (apn_…)' },
    ]);
  });

  test('in configured_props is the same 400 as an unknown, deleted or other app one, on create, update and options', async () => {
    const { body: theirs } = await stranger.post('/accounts', { app: 'some_app', fields: FIELDS });
    const deleted = await idOf();
    await api.delete(`/accounts/${deleted}`);
    const own = await idOf();
    const ids = [theirs.data.id, 'apn_unknown', deleted, await idOf({ app: 'other_app' })];
    const existing = await source(own);
    const { body: made } = await api.post('/components', { component_code: USING });
    for (const id of ids) {
      const configured_props = named(id);
      const responses = [
        await api.post('/sources', { component_code: USING, configured_props }),
        await api.put(`/sources/${existing}`, { configured_props }),
        await api.post('/components/configure', { id: made.data.id, configured_props, reload: true }),
      ];
      for (const { status, body } of responses)
        expect({ status, ...body, request_id: '' }).toEqual({
          status: 400,
          code: 'invalid_request',
          error: `configured_props.app names no connected account of yours for the app some_app: ${id}.`,
          details: [
            {
              path: 'configured_props.app',
              message: `names no connected account of yours for the app some_app: ${id}`,
            },
          ],
          request_id: '',
        });
    }
  });
});

describe('GET /users/me/accounts', () => {
  test('is paginated, and filtered by app and by a part of id, app and name, ignoring case', async () => {
    for (const [app, name] of [
      ['slack', 'Team'],
      ['slack', 'Übung'],
      ['github', 'team 2'],
    ])
      await add({ app, name });
    const names = async (query: Record<string, string | number>) => {
      const { body } = await api.get('/users/me/accounts', query);
      return [body.page_info.total_count, body.data.map(({ name }: { name: string }) => name)];
    };
    expect(await names({ q: 'TEAM' })).toEqual([2, ['team 2', 'Team']]);
    expect(await names({ q: 'üb' })).toEqual([1, ['Übung']]);
    expect(await names({ q: 'GitH' })).toEqual([1, ['team 2']]);
    expect(await names({ q: 'team', app: 'slack' })).toEqual([1, ['Team']]);
    expect(await names({ q: 'nowhere' })).toEqual([0, []]);
    expect(await names({ app: 'slack' })).toEqual([2, ['Übung', 'Team']]);
    const first = (await api.get('/users/me/accounts', { limit: 2 })).body;
    const rest = (await api.get('/users/me/accounts', { after: first.page_info.end_cursor })).body;
    expect([...first.data, ...rest.data].map(({ name }: { name: string }) => name)).toEqual([
      'team 2',
      'Übung',
      'Team',
    ]);
    const [{ id }] = rest.data;
    expect(await names({ q: id.toUpperCase() })).toEqual([1, ['Team']]);
  });
});

describe('GET /apps', () => {
  const code = (app: string, key: string) =>
    `export default { name: '${key}', key: '${key}', version: '1', props: { app: { type: 'app', app: '${app}' }, same: { type: 'app', app: '${app}' } }, run() {} };`;
  const apps = async (q = '') => (await api.get('/apps', { q })).body.data;

  test("lists the apps of the caller's components and of published ones, by name, with the caller's accounts", async () => {
    await api.post('/components', { component_code: code('zeta_app', 'own') });
    await api.post('/components', { component_code: code('zeta_app', 'own-2') });
    await api.post('/components', { component_code: code('No slug', 'own-3') });
    const { body: theirs } = await stranger.post('/components', {
      component_code: code('beta_app', 'published'),
    });
    await stranger.post('/components', { component_code: code('gamma_app', 'not-published') });
    await publish(scene.cloud, theirs.data.id);
    await add({ app: 'zeta_app' });
    await add({ app: 'zeta_app' });
    const app = { auth: 'fields', fields: [], provider: null, parameters: [] };
    expect(await apps()).toEqual([
      { app: 'beta_app', ...app, accounts: 0 },
      { app: 'zeta_app', ...app, accounts: 2 },
    ]);
    expect(await apps('ZETA')).toEqual([{ app: 'zeta_app', ...app, accounts: 2 }]);
    expect(await apps('nowhere')).toEqual([]);
  });
});

describe("the operator's commands", () => {
  test('give names by the same rule', async () => {
    const command = (more: object) =>
      admin<{ id: string; name: string }>('accounts add', {
        owner: me,
        app: 'some_app',
        field: ['token=t'],
        ...more,
      });
    expect((await command({})).name).toBe('some_app');
    expect((await add()).name).toBe('some_app-1');
    const made = await command({});
    expect(made.name).toBe('some_app-2');
    await expect(command({ name: 'some_app-1' })).rejects.toThrow(
      'Another account of some_app has the name "some_app-1". Choose another name.',
    );
    await admin('accounts delete', { account: made.id });
    expect((await add()).name).toBe('some_app-2');
  });
});

describe('an account of an earlier release', () => {
  /** Without a name of its own, and not counted. */
  const old = async (more: object = {}) => {
    const id = await idOf(more);
    const accounts = accountStore(tableOf(scene.cloud));
    const account = await accounts.find(AccountId.parse(id));
    if (!account) expect.fail('the account is not stored');
    await accounts.remove(account);
    const { dynamo, tableName } = tableOf(scene.cloud);
    const { name, hasReservedName: _, version: __, ...stored } = account;
    await dynamo.send(
      new UpdateCommand({
        TableName: tableName,
        Key: accountKey(account.id),
        UpdateExpression: `SET ${Object.keys(stored)
          .map((one) => `#${one} = :${one}`)
          .join(', ')}`,
        ExpressionAttributeNames: Object.fromEntries(Object.keys(stored).map((one) => [`#${one}`, one])),
        ExpressionAttributeValues: Object.fromEntries(Object.entries(stored).map(([one, value]) => [`:${one}`, value])),
      }),
    );
    expect(name).toBeDefined();
    return id;
  };

  test('has the name of its app, which a new account may get too; a new name is its own', async () => {
    const id = await old();
    expect(await shown(id)).toMatchObject({ name: 'some_app', field_names: ['token'] });
    expect((await add()).name).toBe('some_app');
    await api.put(`/accounts/${id}`, { fields: { more: 'x' } });
    const taken = await api.put(`/accounts/${id}`, { name: 'some_app' });
    expect(taken.body.code).toBe('name_taken');
    expect((await api.put(`/accounts/${id}`, { name: 'Old' })).body.data.name).toBe('Old');
    expect((await api.post('/accounts', { app: 'some_app', name: 'Old', fields: FIELDS })).status).toBe(409);
    expect((await api.delete(`/accounts/${id}`)).status).toBe(204);
    await add({ name: 'Old' });
  });

  test('can be removed, and leaves the name to the account that has it', async () => {
    const id = await old();
    await add();
    expect((await api.delete(`/accounts/${id}`)).status).toBe(204);
    expect((await add()).name).toBe('some_app-1');
  });
});

test('values of fields are in no log line, also of requests that are refused', async () => {
  const before = scene.cloud.logs.length;
  const id = await idOf({ fields: EVERY });
  const responses = [
    await api.post('/accounts', {
      app: 'some_app',
      fields: { ...EVERY, 'no name': EVERY.oauth_access_token },
    }),
    await api.put(`/accounts/${id}`, { fields: { ...EVERY, n: 5 } }),
    await api.call('POST', '/accounts', { raw: `{"app": "some_app", "fields": ${JSON.stringify(EVERY)}` }),
    await api.put(`/accounts/${id}`, { fields: EVERY }),
    await api.get('/users/me/accounts', { q: 'some' }),
  ];
  for (const { text } of responses) expectNoField(text);
  const lines = await until('the requests are in the log', () => {
    const texts = scene.cloud.logs.slice(before).map(({ text }) => text);
    return texts.filter((text) => text.includes('request.served')).length > responses.length && texts;
  });
  expectNoField(lines.join('\n'));
});
