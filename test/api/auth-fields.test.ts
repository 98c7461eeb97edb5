import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ComponentId } from '../../shared/domain/id.ts';
import { componentKey } from '../../shared/store/table/keys.ts';
import { operator } from '../support/operator.ts';
import { Scene } from '../support/scene.ts';
import { publish, tableOf } from '../support/stores.ts';

let scene: Scene;
let me: string;
let connect: (app: string, ...fields: string[]) => Promise<{ authProvisionId: string }>;
beforeAll(async () => {
  scene = await Scene.open();
  const admin = operator(scene.cloud);
  me = (await scene.api.get('/users/me')).body.data.id;
  connect = async (app, ...fields) => {
    const field = fields.map((name) => `${name}=value-of-${name}`);
    const { id } = await admin<{ id: string }>('accounts add', { owner: me, app, field });
    return { authProvisionId: id };
  };
});
afterAll(() => scene.close());

const app = (slug: string, ...fields: string[]) =>
  `export default { type: 'app', app: '${slug}', methods: { read() { return [${fields.map((field) => `this.$auth.${field}`).join()}] } } };`;

const component = (parts: string) => ({
  component_code: `import github from './github.app.mjs'; import slack from './slack.app.mjs';
    export default { name: 'Reads', version: '1', ${parts}, run() {} };`,
  component_files: {
    'github.app.mjs': app('github', 'token', 'key'),
    'slack.app.mjs': app('slack', 'bot_token'),
  },
});
const both = `key: 'reads', props: { github, chat: slack, size: 'string' }`;

const appProps = (data: { configurable_props: { name: string; authFields?: string[] }[] }) =>
  data.configurable_props.flatMap(({ name, authFields }) => (authFields ? [[name, authFields]] : []));

describe('authFields', () => {
  const fields = [
    ['github', ['key', 'token']],
    ['chat', ['bot_token']],
  ];

  test('stand on the app props of a component, and on no other, wherever it is shown', async () => {
    const { data: made } = (await scene.api.post('/components', component(both))).body;
    expect(made.configurable_props[0]).toEqual({
      name: 'github',
      type: 'app',
      app: 'github',
      authFields: ['key', 'token'],
    });
    expect(appProps(made)).toEqual(fields);
    expect(appProps((await scene.api.get(`/components/${made.id}`)).body.data)).toEqual(fields);
    expect(appProps((await scene.api.get('/components/reads')).body.data)).toEqual(fields);
    const [listed] = (await scene.api.get('/users/me/components', { q: 'reads' })).body.data;
    expect(appProps(listed)).toEqual(fields);
    const reload = await scene.api.post('/components/configure', { id: made.id, reload: true });
    expect(appProps(reload.body.data)).toEqual(fields);
    await publish(scene.cloud, made.id);
    expect(appProps((await scene.api.get('/components/registry/reads')).body.data)).toEqual(fields);
  });

  test('are the fields of the apps that GET /apps lists', async () => {
    const code = component(both.replace('reads', 'listed')).component_code.replaceAll('github.app', 'more.app');
    const component_files = { 'more.app.mjs': app('more_app', 'z', 'a'), 'slack.app.mjs': app('slack') };
    await scene.api.post('/components', { component_code: code, component_files });
    const [found] = (await scene.api.get('/apps', { q: 'more_app' })).body.data;
    expect(found).toMatchObject({ app: 'more_app', fields: ['a', 'z'] });
  });

  test('are empty when the code reads none', async () => {
    const code = `export default { name: 'None', props: { a: { type: 'app', app: 'a' } }, run() { return this.a.$auth } }`;
    const { data } = (await scene.api.post('/components', { component_code: code })).body;
    expect(appProps(data)).toEqual([['a', []]]);
  });

  test('stand on app props of additionalProps', async () => {
    const parts = `props: { github }, additionalProps() { return { more: { ...slack } } }`;
    const { data: made } = (await scene.api.post('/components', component(parts))).body;
    const { body } = await scene.api.post('/components/configure', { id: made.id, reload: true });
    expect(appProps(body.data)).toEqual([
      ['github', ['key', 'token']],
      ['more', ['bot_token']],
    ]);
  });

  test('of a component of an earlier release are empty, until it is saved again', async () => {
    const parts = both.replace('reads', 'older');
    const { data: made } = (await scene.api.post('/components', component(parts))).body;
    const { dynamo, tableName: TableName } = tableOf(scene.cloud);
    const Key = { ...componentKey(ComponentId.parse(made.id)) };
    await dynamo.send(new UpdateCommand({ TableName, Key, UpdateExpression: 'REMOVE authReads' }));
    expect(appProps((await scene.api.get('/components/older')).body.data)).toEqual([
      ['github', []],
      ['chat', []],
    ]);
    const again = (await scene.api.post('/components', component(parts))).body.data;
    expect([again.id, appProps(again)]).toEqual([made.id, fields]);
    expect(appProps((await scene.api.get('/components/older')).body.data)).toEqual(fields);
  });
});

describe('a source whose account lacks a field that the component reads', () => {
  const parts = both.replace('reads', 'warned');

  test('is created, with a warning that names it; so is one that gets such an account later', async () => {
    const [whole, half, chat] = [
      await connect('github', 'key', 'token', 'other'),
      await connect('github', 'other'),
      await connect('slack', 'other'),
    ];
    const post = (configured_props: object) =>
      scene.api.post('/sources', {
        ...component(parts),
        configured_props: { size: 's', ...configured_props },
      });
    const good = await post({ github: whole });
    const without = 'slack needs an account: tributary accounts connect slack. Without it runs end as account_missing.';
    expect([good.status, good.body.warnings]).toEqual([200, [without]]);

    const bad = await post({ github: half, chat });
    expect([bad.status, bad.body.warnings]).toEqual([
      200,
      [
        `The component reads github.$auth.key, github.$auth.token, and the account ${half.authProvisionId} of github has no field of these names.`,
        `The component reads chat.$auth.bot_token, and the account ${chat.authProvisionId} of slack has no field of that name.`,
      ],
    ]);
    expect((await scene.api.get(`/sources/${bad.body.data.id}`)).body.data.configured_props.github).toEqual(half);

    const put = (body: object) => scene.api.put(`/sources/${good.body.data.id}`, body);
    const changed = await put({ configured_props: { github: half } });
    expect(changed.body.warnings).toEqual([without, bad.body.warnings[0]]);
    expect((await put({ name: 'another' })).body).not.toHaveProperty('warnings');
    const token = await connect('slack', 'bot_token');
    const mended = await put({ configured_props: { github: whole, chat: token } });
    expect(mended.body).not.toHaveProperty('warnings');
  });

  test('gets the warning also for an app prop of additionalProps', async () => {
    const chat = await connect('slack', 'other');
    const { status, body } = await scene.api.post('/sources', {
      ...component(`props: {}, additionalProps() { return { more: { ...slack } } }`),
      configured_props: { more: chat },
    });
    expect([status, body.warnings]).toEqual([
      200,
      [expect.stringContaining('The component reads more.$auth.bot_token')],
    ]);
  });
});

describe('an app prop without an account', () => {
  const ACME = "const acme = { type: 'app', app: 'acme', methods: { key() { return this.$auth.api_key; } } };";

  test('that is not optional, and whose fields the code reads, is warned of, and its runs end as account_missing', async () => {
    const component_code = `${ACME} export default { name: 'Acme', version: '1', props: { acme }, run() { this.$emit({ length: this.acme.key().length }); } };`;
    const { status, body } = await scene.api.post('/sources', { component_code });
    expect([status, body.warnings]).toEqual([
      200,
      ['acme needs an account: tributary accounts connect acme. Without it runs end as account_missing.'],
    ]);
    const { id } = body.data;
    await scene.api.post(`/sources/${id}/run`, { kept: 1 });
    const [seen] = await scene.eventsOf(id, 1, { event_name: '$errors', expand: 'event' });
    expect(seen?.event).toMatchObject({
      original_event: { kept: 1 },
      error: { code: 'account_missing', message: expect.stringContaining('tributary accounts connect acme') },
    });

    const updated = await scene.api.put(`/sources/${id}`, {
      configured_props: { acme: await connect('acme', 'api_key') },
    });
    expect(updated.body.warnings).toBeUndefined();
    await scene.api.post(`/sources/${id}/run`, { kept: 2 });
    const [emitted] = await scene.eventsOf(id, 1, { expand: 'event' });
    expect(emitted?.event).toEqual({ length: 'value-of-api_key'.length });
  });

  test('leaves the hooks to the component: the source is created', async () => {
    const component_code = `${ACME} export default { name: 'Acme', version: '1', props: { acme, db: '$.service.db' },
      hooks: { activate() { this.$emit({ key: this.acme.key() ?? null }); } }, run() { this.acme.key(); } };`;
    const { status, body } = await scene.api.post('/sources', { component_code });
    expect([status, body.warnings]).toEqual([200, [expect.stringContaining('acme needs an account')]]);
    const [emitted] = await scene.eventsOf(body.data.id, 1, { expand: 'event' });
    expect(emitted?.event).toEqual({ key: null });
  });

  test.each([
    ['that is optional', '{ ...acme, optional: true }'],
    ['of an app of which the code reads no field', "{ type: 'app', app: 'other' }"],
  ])('%s runs with {}', async (_, prop) => {
    const code = `${prop.includes('other') ? '' : ACME} export default { name: 'Acme', version: '1', props: { acme: ${prop} },
      run() { this.$emit({ fields: Object.keys(this.acme.$auth).length }); } };`;
    const { status, body } = await scene.api.post('/sources', { component_code: code });
    expect([status, body.warnings]).toEqual([200, undefined]);
    await scene.api.post(`/sources/${body.data.id}/run`, {});
    const [emitted] = await scene.eventsOf(body.data.id, 1, { expand: 'event' });
    expect(emitted?.event).toEqual({ fields: 0 });
  });
});
