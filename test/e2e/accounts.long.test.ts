import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  component,
  EVERY,
  expectNoCanary,
  expectNoCredential,
  fieldsOf,
  FIELDS,
  named,
  PUBLIC,
  TOKEN,
} from '../support/canary-account.ts';
import { assemblyWith } from '../support/assembly-with.ts';
import { operator } from '../support/operator.ts';
import { Scene } from '../support/scene.ts';
import { aUser } from '../support/stores.ts';
import { until } from '../support/until.ts';
import { closeServer } from '../support/close-server.ts';

let scene: Scene;
let admin: ReturnType<typeof operator>;
let me: string;
beforeAll(async () => {
  scene = await Scene.open({ assembly: assemblyWith({ limits: { runTimeoutMs: 3_000 } }) });
  admin = operator(scene.cloud);
  me = (await scene.api.get('/users/me')).body.data.id;
});
afterAll(() => scene.close());

const connect = async (app = 'some_app', fields: Record<string, string> = FIELDS, owner = me) =>
  (await admin<{ id: string }>('accounts add', { owner, app, field: fieldsOf(fields) })).id;

const ECHO = component(`props: { app, http: { type: '$.interface.http', customResponse: true } },
  async run({ body }) {
    const t = this.app.token();
    const auth = this.app.$auth;
    this.http.respond({ status: 200, headers: { 'x-token': t }, body: { token: t, custom: auth.custom } });
    console.log(this, this.app, auth, t, JSON.stringify(this));
    console.error(Buffer.from('user:' + t).toString('base64'), encodeURIComponent(auth.custom));
    this.$emit({ length: t.length, uid: auth.oauth_uid, url: auth.base_url + '/orders', t, all: auth, own: JSON.stringify(this) },
      { id: 'id-' + t, summary: 'Summary of ' + t });
    this.$emit({ get bad() { throw new Error('not ' + t); } });
    if (body?.hang) await new Promise(() => {});
    if (body?.text) throw 'as text ' + t;
    throw Object.assign(new Error('refused: ' + t + ' and ' + auth.custom), { code: t, config: { headers: { t } } });
  }`);

const shownOn = async (id: string, event_name: string): Promise<string> =>
  JSON.stringify(await scene.events(id, { event_name, expand: 'event' }));

/** Everything that a user can read of a source, and every line that the service wrote. */
async function everythingShown(id: string): Promise<string> {
  const texts: string[] = [];
  for (const stream of ['', '$errors', '$logs']) texts.push(await shownOn(id, stream));
  texts.push((await scene.api.get(`/sources/${id}`)).text, (await scene.api.get('/users/me/sources')).text);
  texts.push((await scene.api.get(`/sources/${id}/events`)).text);
  texts.push(scene.cloud.logs.map(({ text }) => text).join('\n'));
  return texts.join('\n');
}

describe('the fields of a connected account', () => {
  test('reach the run, its hooks and its methods as $auth', async () => {
    const source = await scene.source(
      component(`props: { app, db: '$.service.db' }, hooks: { async activate() { this.db.set('n', this.app.token().length); } },
        run() { this.$emit({ hook: this.db.get('n'), run: this.app.token().length, url: this.app.$auth.base_url.length }); }`),
      { configured_props: named(await connect()) },
    );
    await scene.api.post(`/sources/${source.id}/run`, {});
    const [seen] = await scene.eventsOf(source.id, 1, { expand: 'event' });
    expect(seen?.event).toEqual({ hook: TOKEN.length, run: TOKEN.length, url: FIELDS.base_url.length });
  });

  test('are shown by no response, event, error, log or delivery of it', async () => {
    const account = await connect();
    const source = await scene.source(ECHO, { configured_props: named(account) });
    const { receiver, id: hook } = await scene.webhook();
    for (const stream of ['', '$errors', '$logs']) await scene.subscribe(source.id, hook, stream);
    expect(source.data.configured_props.app).toEqual({ authProvisionId: account });
    const responses = [
      await (await scene.send(source.endpoint)).text(),
      await (await scene.send(source.endpoint, { text: true })).text(),
    ];
    await scene.api.post(`/sources/${source.id}/run`, { text: true });
    const [emitted] = await scene.eventsOf(source.id, 3, { expand: 'event' });
    await scene.errorsOf(source.id, 6);
    await scene.eventsOf(source.id, 3, { event_name: '$logs' });
    expect(emitted?.event).toMatchObject({
      length: TOKEN.length,
      uid: FIELDS.oauth_uid,
      url: `${FIELDS.base_url}/orders`,
      t: '[hidden]',
    });
    expect(emitted?.metadata.summary).toBe('Summary of [hidden]');
    const shown = await everythingShown(source.id);
    expect(shown).toContain('[hidden]');
    expectNoCanary([shown, ...responses, ...receiver.received.map(({ body }) => body)].join('\n'));
  });

  test('are not shown by a hook that fails, or a run that is ended', async () => {
    const failing = component(
      `props: { app }, hooks: { async deploy() { throw new Error('no: ' + this.app.token() + ' x'.repeat(2030) + this.app.token()); } }, run() {}`,
    );
    const response = await scene.api.post('/sources', {
      component_code: failing,
      configured_props: named(await connect()),
    });
    expect([response.status, response.body.code]).toEqual([400, 'hook_failed']);
    expect(response.text).toContain('[hidden]');
    expectNoCanary(response.text);
    const ended = component(
      `props: { app }, run() { console.log(this.app.token()); process.stdout.write(this.app.token()); this.$emit({ t: this.app.token() }); for (;;); }`,
    );
    const crashed = component(`props: { app }, run() { console.log(this.app.$auth); process.exit(1); }`);
    for (const code of [crashed, ended]) {
      const source = await scene.source(code, { configured_props: named(await connect()) });
      await scene.api.post(`/sources/${source.id}/run`, {});
      if (code === crashed) await scene.errorsOf(source.id, 1);
      else await scene.eventsOf(source.id, 1);
      expectNoCanary(await everythingShown(source.id));
    }
  });

  test('rest encrypted, under a key file that only its owner reads', async () => {
    await connect();
    const { dataDir } = scene.cloud;
    const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    for (const file of files) {
      const text = readFileSync(join(file.parentPath, file.name), 'latin1');
      expect(text.includes(TOKEN), file.name).toBe(false);
    }
    const keys = files.filter(({ name }) => name.endsWith('.key'));
    expect(keys).toHaveLength(1);
    for (const { parentPath, name } of keys) expect(statSync(join(parentPath, name)).mode & 0o777).toBe(0o600);
  });
});

/** Shows every field in every way out, before and after it has asked its upstream. */
const PRINT_ALL = component(`props: { app, http: { type: '$.interface.http', customResponse: true },
    kind: { type: 'string', optional: true, async options() { return { options: [...Object.values(this.app.$auth), { label: this.app.$auth.email, value: this.app.$auth.pin }], context: { ...this.app.$auth } }; } } },
  hooks: { async activate() { if (this.kind === 'hook') throw new Error(JSON.stringify(this.app.$auth)); } },
  additionalProps() {
    if (this.kind === 'throw') throw Object.values(this.app.$auth).map((value) => '"' + value + '"').join(' and ');
    return { more: { type: 'string', optional: true, label: this.app.$auth.username, description: this.app.$auth.pin, options: Object.values(this.app.$auth) } };
  },
  methods: {
    tell(upstream) {
      const { $auth } = this.app;
      const { email, username, pin, account_number, lines } = $auth;
      this.$emit($auth);
      for (const value of Object.values($auth)) this.$emit(value, { id: value + '-id', summary: 'Of ' + JSON.stringify(value), name: 'to ' + JSON.stringify(value) });
      for (const value of Object.values($auth)) this.$emit(value, { id: value, summary: value, ts: value });
      this.$emit({ upstream, u: username, texts: [JSON.stringify($auth), JSON.stringify({ own: JSON.stringify($auth) }), JSON.stringify(this.app), 'user ' + email],
        n: Number(account_number), [username]: 1, buffer: Buffer.from(lines).toString('base64'), form: new URLSearchParams($auth).toString().replace(/&pin=[^&]*/, '') });
      console.log(this, this.app, $auth, JSON.stringify(this), JSON.stringify($auth, null, 2), [lines, [lines]]);
      console.log('the pin is', pin);
      console.error(new Error(pin), lines);
      console.table($auth);
      process.stdout.write(pin + '\\n');
    },
  },
  async run({ body = {} }) {
    const { $auth } = this.app;
    this.tell();
    const upstream = body.ask ? await (await fetch(body.ask, { headers: { authorization: 'Bearer ' + this.app.token() } })).json() : undefined;
    if (body.ask) this.tell(upstream);
    this.http.respond({ status: 200, headers: { 'x-user': encodeURIComponent($auth.username), 'x-pin': $auth.pin, ['x-' + $auth.workspace_id]: '1' },
      body: body.bytes ? Buffer.from($auth.oauth_access_token + $auth.host) : { ...$auth, upstream, text: JSON.stringify($auth) } });
    if (body.hang) { console.log($auth); await new Promise(() => {}); }
    if (body.exit) process.exit(1);
    if (body.pin) throw $auth.pin;
    throw Object.assign(new Error(JSON.stringify($auth), { cause: new Error($auth.pin) }), { name: $auth.username, code: $auth.pin });
  }`);

describe('a field of any kind', () => {
  /** Data of the account; the upstream adds the token that it was sent. */
  const DATA = { team_id: EVERY.workspace_id, url: `${EVERY.base_url}/orders/7` };
  let upstream: Server;
  let ask: string;
  beforeAll(async () => {
    upstream = createServer((request, response) => {
      response.end(JSON.stringify({ ...DATA, echo: request.headers.authorization }));
    });
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
    ask = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/`;
  });
  afterAll(() => closeServer(upstream));

  test('is shown if it is public, and a credential is in no log, error, event, response or delivery', async () => {
    const account = await connect('some_app', EVERY);
    const source = await scene.source(PRINT_ALL, { configured_props: named(account) });
    const { receiver, id: hook } = await scene.webhook();
    for (const stream of ['', '$errors', '$logs']) await scene.subscribe(source.id, hook, stream);
    const responses: string[] = [];
    const shapes = [{}, { bytes: true }, { pin: true }, { hang: true }, { exit: true }];
    for (const body of shapes) {
      const response = await scene.send(source.endpoint, body);
      responses.push(JSON.stringify([...response.headers]), await response.text());
    }
    await scene.eventsOf(source.id, 5);
    await scene.errorsOf(source.id, shapes.length);
    await scene.eventsOf(source.id, shapes.length, { event_name: '$logs' });
    await until('the deliveries', () => receiver.received.length >= 2 * shapes.length);
    const deliveries = receiver.received.map(({ body }) => body);
    const written = scene.cloud.logs.map(({ text }) => text);
    expectNoCredential([await everythingShown(source.id), ...responses, ...deliveries, ...written].join('\n'));
    const errors = await shownOn(source.id, '$errors');
    const logs = await shownOn(source.id, '$logs');
    for (const text of [errors, logs]) expect(text).toContain(PUBLIC.workspace_id);
    expect(logs).toContain('the pin is [hidden]');
  });

  test('is in no failure of a hook, options or props if it is a credential', async () => {
    const account = await connect('some_app', EVERY);
    const { id } = (await scene.api.post('/components', { component_code: PRINT_ALL })).body.data;
    const responses = [
      await scene.api.post('/sources', {
        component_code: PRINT_ALL,
        configured_props: { ...named(account), kind: { __lv: { label: 'x', value: 'hook' } } },
      }),
      await scene.api.post('/sources', {
        component_code: PRINT_ALL,
        configured_props: { ...named(account), kind: { __lv: { label: 'x', value: 'throw' } } },
      }),
      await scene.api.post('/sources', {
        component_code: PRINT_ALL,
        configured_props: { ...named(account), more: 'none of them' },
      }),
      await scene.api.post('/components/configure', {
        id,
        prop_name: 'kind',
        configured_props: named(account),
      }),
    ];
    expect(responses.map(({ status, body }) => [status, body.code])).toEqual([
      [400, 'hook_failed'],
      [400, 'configure_failed'],
      [400, 'invalid_request'],
      [200, undefined],
    ]);
    const written = scene.cloud.logs.map(({ text }) => text);
    expectNoCredential([...responses.map(({ text }) => text), ...written].join('\n'));
  });

  test('stays in events and responses if it is public, whatever its origin', async () => {
    const account = await connect('some_app', EVERY);
    const source = await scene.source(PRINT_ALL, { configured_props: named(account) });
    const upstream = { ...DATA, echo: 'Bearer [hidden]' };
    const response = await (await scene.send(source.endpoint, { ask })).json();
    expect(response).toMatchObject({ ...PUBLIC, upstream, pin: '[hidden]' });
    const events = await scene.eventsOf(source.id, 4, { expand: 'event' });
    expect(events.find(({ event }) => event.upstream)?.event).toMatchObject({ upstream, u: EVERY.username });
    expectNoCredential(JSON.stringify([response, events]));
  });

  test('stays in the original event of an error if it is public', async () => {
    const account = await connect('some_app', EVERY);
    const source = await scene.source(PRINT_ALL, { configured_props: named(account) });
    await scene.send(source.endpoint, { team: EVERY.username, token: EVERY.oauth_access_token });
    const [error] = await scene.errorsOf(source.id, 1);
    expect(error?.event.original_event.body).toEqual({ team: EVERY.username, token: '[hidden]' });
    expectNoCredential(JSON.stringify(error?.event.error));
  });

  test('is redacted in the events of a component without run, if it is a credential', async () => {
    const passing = component(`props: { app, http: '$.interface.http' }`);
    const source = await scene.source(passing, { configured_props: named(await connect('some_app', EVERY)) });
    await scene.send(source.endpoint, { team: EVERY.workspace_id, token: EVERY.oauth_access_token });
    const [event] = await scene.eventsOf(source.id, 1, { expand: 'event' });
    expect(event?.event.body).toEqual({ team: EVERY.workspace_id, token: '[hidden]' });
  });
});

describe('an app prop', () => {
  const code = component('props: { app }, run() { this.$emit({ auth: Object.keys(this.app.$auth) }); }');
  const create = (app: unknown) => scene.api.post('/sources', { component_code: code, configured_props: { app } });

  test("names an account that is there, the caller's own and of its app; anything else is an error of that prop", async () => {
    const stranger = await aUser(scene.cloud);
    const theirs = await connect('some_app', { a: 'x' }, stranger.id);
    const another = await connect('another_app');
    const deleted = await connect();
    await scene.api.delete(`/accounts/${deleted}`);
    for (const [value, message] of [
      ...['apn_never', theirs, another, deleted].map((id) => [
        { authProvisionId: id },
        `names no connected account of yours for the app some_app: ${id}`,
      ]),
      [{ $auth: { oauth_access_token: 'x' } }, 'must name a connected account: {"authProvisionId": "apn_…"}'],
      [{ authProvisionId: 5 }, 'must name a connected account: {"authProvisionId": "apn_…"}'],
      ['apn_x', 'must be an object'],
    ] as const) {
      const response = await create(value);
      expect([response.status, response.body.details]).toEqual([400, [{ path: 'configured_props.app', message }]]);
    }
  });

  test('that is optional may be left out: its $auth is then empty; once the account has been deleted, each run is an error with its event', async () => {
    const account = await connect();
    const without = await scene.source(code.replace('props: { app }', 'props: { app: { ...app, optional: true } }'));
    const source = await scene.source(code, { configured_props: named(account) });
    await scene.api.post(`/sources/${without.id}/run`, {});
    await scene.api.post(`/sources/${source.id}/run`, {});
    expect((await scene.eventsOf(without.id, 1, { expand: 'event' }))[0]?.event).toEqual({ auth: [] });
    expect((await scene.eventsOf(source.id, 1, { expand: 'event' }))[0]?.event.auth).toHaveLength(4);
    await admin('accounts delete', { account });
    await scene.api.post(`/sources/${source.id}/run`, { kept: 1 });
    const [failed] = await scene.errorsOf(source.id, 1);
    expect(failed?.event.error).toMatchObject({
      code: 'account_expired',
      message: expect.stringContaining(account),
    });
    expect(JSON.stringify(failed?.event.original_event)).toContain('"kept":1');
  });

  test('keeps its account across a restart', async () => {
    const source = await scene.source(code, { configured_props: named(await connect()) });
    await scene.cloud.restart();
    admin = operator(scene.cloud);
    await scene.api.post(`/sources/${source.id}/run`, {});
    expect((await scene.eventsOf(source.id, 1, { expand: 'event' }))[0]?.event.auth).toHaveLength(4);
  });
});

describe('accounts', () => {
  test('are listed by their owner with the names of their fields, and go with it', async () => {
    const { id: owner } = await aUser(scene.cloud);
    const one = await connect('one', { token: TOKEN }, owner);
    const two = await connect('two', { token: TOKEN, url: 'x=y' }, owner);
    const listed = await admin<{ id: string; app: string }[]>('accounts list', { owner });
    // Accounts of the same millisecond have no fixed order.
    expect(listed.sort((a, b) => (a.app < b.app ? -1 : 1))).toEqual([
      {
        id: one,
        owner,
        app: 'one',
        name: 'one',
        kind: 'fields',
        status: 'connected',
        status_reason: null,
        fields: ['token'],
        created_at: expect.any(Number) as number,
      },
      {
        id: two,
        owner,
        app: 'two',
        name: 'two',
        kind: 'fields',
        status: 'connected',
        status_reason: null,
        fields: ['token', 'url'],
        created_at: expect.any(Number) as number,
      },
    ]);
    expect(await admin<unknown[]>('accounts list', { owner, app: 'two' })).toHaveLength(1);
    await admin('users delete', { user: owner });
    expect(await admin('accounts list', { owner })).toEqual([]);
    await expect(admin('accounts delete', { account: one })).rejects.toThrow(`There is no connected account ${one}.`);
  });
});
