import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { component, expectNoCanary, fieldsOf, FIELDS, named, TOKEN } from '../support/canary-account.ts';
import { operator } from '../support/operator.ts';
import { Scene } from '../support/scene.ts';
import { aUser } from '../support/stores.ts';

let scene: Scene;
let admin: ReturnType<typeof operator>;
let me: string;
/** The response about a prop whose options never come. It takes 25 s, so the last test waits for it. */
let unanswered: ReturnType<Scene['api']['post']>;
beforeAll(async () => {
  scene = await Scene.open();
  admin = operator(scene.cloud);
  me = (await scene.api.get('/users/me')).body.data.id;
});
afterAll(() => scene.close());

const connect = async () =>
  (await admin<{ id: string }>('accounts add', { owner: me, app: 'some_app', field: fieldsOf(FIELDS) })).id;

describe('POST /components/configure', () => {
  const configurable = component(`props: {
      app,
      prefix: { type: 'string', default: 'r' },
      room: { propDefinition: [app, 'room', (c) => ({ prefix: c.prefix + '/' })] },
      size: { type: 'string', options: ['s', { label: 'Large', value: 'l' }] },
      own: { type: 'string', async options() { return [this.prefix, this.app.token()]; } },
      bad: { type: 'string', async options() { throw new Error('upstream said ' + this.app.token()); } },
      odd: { type: 'string', options: async () => 'nothing' },
      plain: 'string',
    }, run() {}`);
  const hanging = component(`props: { app, slow: { type: 'string', options: () => new Promise(() => {}) } }, run() {}`);
  let id: string;
  let account: string;
  beforeAll(async () => {
    const idOf = async (code: string): Promise<string> =>
      (await scene.api.post('/components', { component_code: code })).body.data.id;
    [id, account] = [await idOf(configurable), await connect()];
    unanswered = configure('slow', { id: await idOf(hanging) });
  });
  const configure = (prop_name: string, more: object = {}) =>
    scene.api.post('/components/configure', {
      id,
      prop_name,
      configured_props: named(account),
      ...more,
    });

  test("gives the options of an async prop, from the app's own function and with its arguments; never a field", async () => {
    const { status, body, text } = await configure('room', {
      page: 2,
      query: 'q',
      prev_context: { seen: 4 },
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      data: {
        options: ['[hidden]', '[hidden]', { label: 'Room 2', value: 'r/q' }],
        context: { seen: 5, token: '[hidden]' },
      },
    });
    expectNoCanary(text);
    const configuredProps = { ...named(account), prefix: 'other' };
    expect((await configure('own', { configured_props: configuredProps })).body.data).toEqual({
      options: ['other', '[hidden]'],
    });
    expect((await configure('size')).body.data.options).toEqual(['s', { label: 'Large', value: 'l' }]);
  });

  test.each([
    ['plain', 'The prop plain has no options.'],
    ['nothing', 'The component has no prop nothing.'],
    ['odd', 'The options are neither an array nor {options, context}.'],
  ])('asked for %s it is 400', async (prop, message) => {
    const { status, body } = await configure(prop);
    expect([status, body.details]).toEqual([400, [{ path: 'prop_name', message }]]);
  });

  test('names the error that the component threw, without the account', async () => {
    const { status, body, text } = await configure('bad');
    expect([status, body.code, body.error]).toEqual([
      400,
      'configure_failed',
      'The component cannot be configured with these props: upstream said [hidden]',
    ]);
    expectNoCanary(text);
  });

  test("is for one's own components and accounts", async () => {
    const stranger = scene.api.as((await aUser(scene.cloud)).key);
    expect((await stranger.post('/components/configure', { id, prop_name: 'room' })).status).toBe(404);
    const response = await configure('room', { configured_props: named('apn_never') });
    expect([response.status, response.body.details[0].path]).toEqual([400, 'configured_props.app']);
    expect((await scene.api.post('/components/configure', { id })).status).toBe(400);
    expect((await configure('room', { page: -1 })).status).toBe(400);
  });
});

describe('additionalProps', () => {
  const dynamic =
    component(`props: { app, kind: { type: 'string', optional: true, reloadProps: true }, hint: { type: 'string', hidden: true, optional: true } },
    async additionalProps(previous) {
      if (this.kind === 'broken') throw new Error('cannot ' + this.app.token());
      if (this.kind === undefined) return {};
      if (previous.hint) previous.hint.hidden = false;
      const made = {
        http: '$.interface.http', timer: { type: '$.interface.timer', default: { intervalSeconds: 900 } },
        db: '$.service.db', size: { type: 'integer', min: 1, default: this.app.token().length },
        secret: { type: 'string', secret: true, optional: true },
      };
      if (this.size !== undefined) made.late = { type: 'string', options: ['x', 'y'], default: 'x' };
      return made;
    },
    hooks: { async activate() { this.db?.set('endpoint', this.http.endpoint); } },
    run(event) { console.log('the secret is', this.secret); this.$emit({ path: event.path, size: this.size, late: this.late, known: this.db.get('endpoint') === this.http.endpoint }); }`);

  test('make props until they stay the same; their interfaces work', async () => {
    const props = { ...named(await connect()), kind: 'full', secret: 'canary-secret-0451' };
    const source = await scene.source(dynamic, { configured_props: props });
    expect(source.data.configured_props).toEqual({
      ...props,
      http: { endpoint_url: source.endpoint },
      timer: { interval_seconds: 900, cron: null },
      size: TOKEN.length,
      late: 'x',
    });
    await scene.send(`${source.endpoint}/there`);
    const [seen] = await scene.eventsOf(source.id, 1, { expand: 'event' });
    expect(seen?.event).toEqual({ path: '/there', size: TOKEN.length, late: 'x', known: true });
    const [log] = await scene.eventsOf(source.id, 1, { event_name: '$logs', expand: 'event' });
    expect(JSON.stringify(log)).toContain('the secret is [hidden]');
  });

  test('are held to what they were made as, one error for each prop', async () => {
    const configuredProps = { ...named(await connect()), kind: 'full', size: 0, late: 'z', other: 1 };
    const { status, body } = await scene.api.post('/sources', {
      component_code: dynamic,
      configured_props: configuredProps,
    });
    expect(status).toBe(400);
    expect(body.details).toEqual([
      {
        path: 'configured_props.other',
        message: expect.stringContaining('it has app, kind, hint, http, timer, db, size, secret, late') as string,
      },
      { path: 'configured_props.size', message: 'must be at least 1' },
      { path: 'configured_props.late', message: 'must be one of "x", "y"' },
    ]);
  });

  test('follow an update, and stay with one that changes no prop', async () => {
    const app = named(await connect());
    const source = await scene.source(dynamic, { configured_props: app });
    expect(source.data.configured_props).toEqual(app);
    const full = await scene.api.put(`/sources/${source.id}`, { configured_props: { kind: 'full' } });
    expect(Object.keys(full.body.data.configured_props).sort()).toEqual([
      'app',
      'http',
      'kind',
      'late',
      'size',
      'timer',
    ]);
    const renamed = await scene.api.put(`/sources/${source.id}`, { name: 'other' });
    expect(renamed.body.data.configured_props).toEqual(full.body.data.configured_props);
    const fewer = await scene.api.put(`/sources/${source.id}`, { configured_props: { kind: null } });
    expect(fewer.body.data.configured_props).toEqual(app);
  });

  test('may declare apps that the code does not: in hooks and runs they are whole', async () => {
    const code = component(`props: { http: '$.interface.http', db: '$.service.db' },
      additionalProps() { this.$emit('never'); this.db.set('never', 1); return { app, room: { propDefinition: [app, 'room'] } }; },
      hooks: { activate() { this.db.set('length', this.app.token().length); } },
      run() {
        const { token } = this.app;
        const auth = Object.keys(this.app.$auth);
        this.$emit({ bound: token().length, activated: this.db.get('length'), never: this.db.get('never') ?? null, auth, defined: Object.keys(this.app.propDefinitions) });
      }`);
    const source = await scene.source(code, { configured_props: { ...named(await connect()), room: 'r' } });
    for (const n of [1, 2]) {
      await scene.send(source.endpoint, { n });
      const events = await scene.eventsOf(source.id, n, { expand: 'event' });
      expect(events.map(({ event }) => event)).toEqual(
        Array(n).fill({
          bound: TOKEN.length,
          activated: TOKEN.length,
          never: null,
          auth: Object.keys(FIELDS),
          defined: ['room'],
        }),
      );
    }
    expect(await scene.events(source.id, { event_name: '$errors' })).toEqual([]);
  });

  test('that throw are 400, without the account', async () => {
    const { status, body, text } = await scene.api.post('/sources', {
      component_code: dynamic,
      configured_props: { ...named(await connect()), kind: 'broken' },
    });
    expect([status, body.code]).toEqual([400, 'configure_failed']);
    expect(body.error).toContain('cannot [hidden]');
    expectNoCanary(text);
  });
});

test('POST /components/configure answers before the gateway gives up, also when the component does not', async () => {
  const { status, body } = await unanswered;
  // The gateway's own response would be a 503.
  expect([status, body.code]).toEqual([400, 'configure_failed']);
});
