import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { AuthorizationServer } from '../support/authorization-server.ts';
import { testAssembly } from '../support/cloud.ts';
import { operator } from '../support/operator.ts';
import { registerTestClient } from '../support/register-client.ts';
import { type Deployed, Scene } from '../support/scene.ts';
import { signInAt } from '../support/sign-in.ts';
import { resourcesOf, type Template } from '../support/template.ts';
import { until } from '../support/until.ts';
import { closeServer } from '../support/close-server.ts';

/** An API that takes one bearer: the one of the provider's last token answer. */
class ResourceServer {
  readonly bearers: string[] = [];
  /** Statuses of the next responses. */
  readonly statuses: number[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<ResourceServer> {
    const server = createServer();
    const resource = new ResourceServer(server);
    server.on('request', (request, response) => {
      resource.bearers.push(String(request.headers.authorization).replace(/^Bearer /, ''));
      response.writeHead(resource.statuses.shift() ?? 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ items: resource.bearers.length }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return resource;
  }

  get url(): string {
    // `address()` is null or a text only for servers that do not listen on a port.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await closeServer(this.#server);
  }
}

/**
 * An injected fault starts a second instance of a function, which does not know the credentials that the first one got.
 */
const hasOneInstance = inject('faults') === 'none';

let scene: Scene;
let provider: AuthorizationServer;
let resource: ResourceServer;
beforeAll(async () => {
  scene = await Scene.open({ assembly: testAssembly({ logLevel: 'info' }) });
  provider = await AuthorizationServer.start();
  resource = await ResourceServer.start();
  await registerTestClient(scene.cloud, { settings: { ...provider.settings, scopes: ['read'] } });
});
afterAll(async () => {
  await scene.close();
  await provider.stop();
  await resource.stop();
});
afterEach(() => {
  provider.response = undefined;
  provider.expiresIn = 3_600;
  resource.statuses.length = 0;
});

const signIn = (body: Record<string, unknown>): Promise<string> => signInAt(provider, scene.api, body);

/** An account whose access token lives for so many seconds. */
async function connected(expiresIn: number): Promise<string> {
  provider.expiresIn = expiresIn;
  return signIn({ app: 'acme' });
}

/** An account whose access token has expired. */
async function expired(): Promise<string> {
  const account = await connected(1);
  provider.expiresIn = 3_600;
  const { expires_at_ms: expiresAt } = await statusOf(account);
  await until('the end of the token', () => Date.now() >= expiresAt);
  return account;
}

const poller = () => `export default {
  name: 'Poller', version: '0.0.1',
  props: { app: { type: 'app', app: 'acme' }, http: { type: '$.interface.http', customResponse: true } },
  hooks: { async deactivate() { await this.app.$auth; } },
  async run({ body }) {
    const response = await fetch('${resource.url}', { headers: { authorization: 'Bearer ' + this.app.$auth.oauth_access_token } });
    if (!response.ok) throw Object.assign(new Error('refused'), { response: { status: response.status } });
    const { items } = await response.json();
    this.$emit({ items, sent: body });
    this.http.respond({ status: 200, body: 'done' });
  },
};`;

const withAccount = (account: string): Promise<Deployed> =>
  scene.source(poller(), { configured_props: { app: { authProvisionId: account } } });

/** However fast the machine is, the last 100 events are all events of a test. */
const SEND_EVERY_MS = 100;
const renewals = (): number => provider.tokenRequests.filter(({ grant_type: type }) => type === 'refresh_token').length;
const statusOf = async (account: string) => (await scene.api.get(`/accounts/${account}`)).body.data;

test('an account of a provider with answers of its own is connected, and renewed though the renewals tell no lifetime', async () => {
  const { authorization, token, identity } = provider.settings;
  const client = { app: 'odd', 'client-id': 'client-1', 'authorize-url': authorization, 'token-url': token };
  const options = { ...client, 'identity-url': identity, answer: 'body', quirk: 'no-token-type' };
  const admin = operator(scene.cloud);
  await expect(admin('oauth-clients add', { ...options, answer: 'body..x' })).rejects.toThrow(
    /--answer must be a path/,
  );
  await admin('oauth-clients add', options);
  provider.tokenStatus = 201;
  provider.expiresIn = 1;
  let tokensSent = 0;
  provider.tokenResponse = ({ token_type: _type, ...standard }) => {
    tokensSent += 1;
    return { status: 0, body: { ...standard, ...(tokensSent > 1 ? { expires_in: '' } : {}) } };
  };
  try {
    const account = await signInAt(provider, scene.api, { app: 'odd' });
    const { status, expires_at_ms: expiresAt } = await statusOf(account);
    expect([status, typeof expiresAt]).toEqual(['connected', 'number']);
    const source = await scene.source(
      `export default {
        name: 'Odd', version: '0.0.1',
        props: { app: { type: 'app', app: 'odd' }, http: { type: '$.interface.http', customResponse: true } },
        run() { this.http.respond({ status: 200, body: this.app.$auth.oauth_uid }); },
      };`,
      { configured_props: { app: { authProvisionId: account } } },
    );
    const before = renewals();
    await until('two renewals', async () => {
      const response = await scene.send(source.endpoint, {});
      expect([response.status, await response.text()]).toEqual([200, 'ada']);
      return renewals() >= before + 2;
    });
    expect(await statusOf(account)).toMatchObject({
      status: 'connected',
      expires_at_ms: expect.any(Number) as number,
    });
  } finally {
    provider.tokenStatus = 200;
    provider.tokenResponse = (standard) => standard;
  }
});

describe('a source with an account of kind oauth', () => {
  test('goes on over its renewals: each run sends a token that lives, and none is lost or repeated', async () => {
    const account = await connected(1);
    const source = await withAccount(account);
    const before = { renewals: renewals(), bearers: resource.bearers.length };
    for (let n = 1; n <= 6; n += 1) {
      const renewed = renewals();
      await until(
        'a renewal',
        async () => {
          expect((await scene.send(source.endpoint, { n })).status).toBe(200);
          return renewals() > renewed;
        },
        { everyMs: SEND_EVERY_MS },
      );
    }
    expect(renewals() - before.renewals).toBeGreaterThanOrEqual(6);
    const bearers = resource.bearers.slice(before.bearers);
    expect(new Set(bearers).size).toBeGreaterThanOrEqual(6);
    const events = await scene.events(source.id, { expand: 'event' });
    expect(events).toHaveLength(bearers.length);
    expect(new Set(events.map(({ event }) => event.items)).size).toBe(bearers.length);
    expect(await scene.events(source.id, { event_name: '$errors' })).toEqual([]);
    expect((await statusOf(account)).status).toBe('connected');
  });

  test('has one renewal, however many sources start at once', async () => {
    const account = await expired();
    const sources = [];
    for (let n = 0; n < 8; n += 1) sources.push(await withAccount(account));
    const before = renewals();
    const responses = await Promise.all(sources.map(({ endpoint }) => scene.send(endpoint, {})));
    expect(responses.map(({ status }) => status)).toEqual(sources.map(() => 200));
    expect(renewals() - before).toBe(1);
  });

  test('renews before queued runs, and before its options and props are asked for', async () => {
    const code = `export default {
      name: 'Asker', version: '0.0.1',
      props: {
        app: { type: 'app', app: 'acme' },
        list: { type: 'string', optional: true, options() { return [String(this.app.$auth.oauth_access_token.length)]; } },
        more: { type: 'boolean', reloadProps: true, default: true },
      },
      async additionalProps() { return { extra: { type: 'string', optional: true, label: String(this.app.$auth.oauth_access_token.length) } }; },
      run() { this.$emit({ length: this.app.$auth.oauth_access_token.length }); },
    };`;
    const { body } = await scene.api.post('/components', { component_code: code });
    const asked = { authProvisionId: await expired() };
    const before = renewals();
    const { body: options, text } = await scene.api.post('/components/configure', {
      id: body.data.id,
      prop_name: 'list',
      configured_props: { app: asked },
    });
    expect(options.data?.options, text).toEqual(['27']);
    expect(renewals() - before).toBe(1);

    const source = await scene.source(code, {
      configured_props: { app: { authProvisionId: await expired() } },
    });
    expect(renewals() - before).toBe(2);
    const account = await expired();
    await scene.api.put(`/sources/${source.id}`, { configured_props: { app: { authProvisionId: account } } });
    const other = await scene.source(poller(), {
      configured_props: { app: { authProvisionId: await expired() } },
    });
    const renewed = renewals();
    await scene.api.post(`/sources/${other.id}/run`, {});
    await scene.eventsOf(other.id, 1);
    expect(renewals() - renewed).toBe(1);
  });

  test('renews first after its API has refused a token that lives', async () => {
    const account = await connected(3_600);
    const source = await withAccount(account);
    resource.statuses.push(401);
    expect((await scene.send(source.endpoint, {})).status).toBe(500);
    const before = renewals();
    expect((await scene.send(source.endpoint, {})).status).toBe(200);
    expect(renewals() - before).toBe(1);
    expect(resource.bearers.at(-1)).not.toBe(resource.bearers.at(-2));
  });

  test('keeps every event in $errors while the account needs a new sign-in, and goes on after it', async () => {
    const account = await expired();
    const source = await withAccount(account);
    provider.response = () => ({ status: 400, body: { error: 'invalid_grant' } });
    expect((await scene.send(source.endpoint, { kept: 1 })).status).toBe(503);
    await scene.api.post(`/sources/${source.id}/run`, { kept: 2 });
    const errors = await scene.errorsOf(source.id, 2);
    for (const { event } of errors)
      expect(event.error).toMatchObject({
        code: 'account_expired',
        message: expect.stringContaining(`tributary accounts reconnect ${account}`),
      });
    expect(errors.map(({ event }) => JSON.stringify(event.original_event)).join()).toMatch(/"kept":2.*"kept":1/);
    expect(await statusOf(account)).toMatchObject({
      status: 'needs_reconnect',
      status_reason: expect.any(String),
    });

    const refused = await scene.api.put(`/sources/${source.id}`, {
      component_code: `${poller()} // changed`,
    });
    expect(refused.status).toBe(200);
    const created = await scene.api.post('/sources', {
      component_code: poller().replace('async deactivate', 'async activate'),
      configured_props: { app: { authProvisionId: account } },
    });
    expect([created.status, created.body.code]).toEqual([400, 'account_expired']);

    provider.response = undefined;
    provider.expiresIn = 3_600;
    expect(await signIn({ account_id: account })).toBe(account);
    expect((await statusOf(account)).status).toBe('connected');
    expect((await scene.send(source.endpoint, { again: true })).status).toBe(200);
  });

  test('waits for a provider that is down, and says so', async () => {
    const account = await expired();
    const source = await withAccount(account);
    provider.response = () => ({ status: 503, body: {} });
    const before = renewals();
    expect((await scene.send(source.endpoint, {})).status).toBe(503);
    expect(await statusOf(account)).toMatchObject({ status: 'expiring', status_reason: expect.any(String) });
    await scene.send(source.endpoint, {});
    expect(renewals() - before).toBe(1);
  });

  test('shows neither its token nor an earlier one that its component kept, or that its event repeats', async () => {
    const account = await connected(1);
    const code = `const kept = [];
      export default { name: 'Keeps', version: '0.0.1', props: { app: { type: 'app', app: 'acme' }, http: { type: '$.interface.http', customResponse: true } },
        run() {
          kept.push(this.app.$auth.oauth_access_token);
          console.log(kept, kept.join());
          this.$emit({ kept, pid: process.pid }, { summary: kept.join() });
          this.http.respond({ status: 200, body: { kept } });
          throw new Error('refused: ' + kept.join());
        } };`;
    const source = await scene.source(code, { configured_props: { app: { authProvisionId: account } } });
    const bodies: string[] = [];
    const firstLine = scene.cloud.logs.length;
    bodies.push(await (await scene.send(source.endpoint, {})).text());
    const first = provider.issued.length - 1;
    const tokens = () => provider.issued.slice(first).map(({ accessToken }) => accessToken);
    const body = () => ({ repeats: hasOneInstance ? tokens() : [] });
    for (let n = 0; n < 3; n += 1) {
      const before = renewals();
      await until(
        'a renewal',
        async () => {
          bodies.push(await (await scene.send(source.endpoint, body())).text());
          return renewals() > before;
        },
        { everyMs: SEND_EVERY_MS },
      );
    }
    await scene.errorsOf(source.id, bodies.length);
    // A run that does not start shows its event, too.
    provider.response = () => ({ status: 400, body: { error: 'invalid_grant' } });
    await until('the account has ended', async () => {
      const { status } = await scene.send(source.endpoint, body());
      return status === 503;
    });
    await until('the event is in $errors', async () =>
      (await scene.events(source.id, { event_name: '$errors', expand: 'event' })).some(
        ({ event }) => event.error.code === 'account_expired',
      ),
    );
    expect(tokens().length).toBeGreaterThan(2);
    const shown = [bodies, scene.cloud.logs.slice(firstLine).map(({ text }) => text)].flat();
    for (const stream of ['', '$errors', '$logs'])
      shown.push(JSON.stringify(await scene.events(source.id, { event_name: stream, expand: 'event' })));
    const events = await scene.events(source.id, { expand: 'event' });
    if (hasOneInstance) expect(new Set(events.map(({ event }) => event.pid)).size).toBe(1);
    expect(shown.join()).toContain('[hidden]');
    expect(shown.join().match(/.{0,80}[ar]t-[0-9a-f]{24}/g)).toBeNull();
  });
});

test('the log has the lines that the metrics count: one for each renewal, with the account and no token', async () => {
  const account = await expired();
  const source = await withAccount(account);
  const from = scene.cloud.logs.length;
  const linesFor = ({ Properties }: { Properties: Record<string, unknown> }) => {
    const [, name] = /^\{ \$\.message = (".+") \}$/.exec(String(Properties['FilterPattern'])) ?? [];
    const line = `"message":${name},`;
    const lines = scene.cloud.logs.slice(from).map(({ text }) => text);
    return lines.filter((text) => text.includes(line) && text.includes(account));
  };
  provider.response = () => ({ status: 400, body: { error: 'temporarily_unavailable' } });
  expect((await scene.send(source.endpoint, {})).status).toBe(503);
  const metrics = new Map(
    resourcesOf(testAssembly().template as Template, 'AWS::Logs::MetricFilter').map(([, filter]) => {
      const [{ MetricName = '' } = {}] = filter.Properties.MetricTransformations as { MetricName?: string }[];
      return [MetricName, filter] as const;
    }),
  );
  expect([...metrics.keys()].sort()).toEqual(['FailedRenewals', 'FunctionFailures', 'Renewals']);
  const counts = () =>
    ['Renewals', 'FailedRenewals'].map((name) => linesFor(metrics.get(name) ?? expect.fail()).length);
  await until('the line', () => counts()[1] === 1);
  provider.response = undefined;
  await signIn({ account_id: account });
  expect(counts()).toEqual([0, 1]);
  provider.expiresIn = 1;
  await signIn({ account_id: account });
  const { expires_at_ms: expiresAt } = await statusOf(account);
  await until('the end of the token', () => Date.now() >= expiresAt);
  expect((await scene.send(source.endpoint, {})).status).toBe(200);
  await until('the line', () => counts()[0] === 1);
  expect(counts()).toEqual([1, 1]);
  const secrets = provider.tokenRequests.flatMap(({ refresh_token: token }) => token ?? []);
  expect(secrets.length).toBeGreaterThan(0);
  const log = scene.cloud.logs.map(({ text }) => text).join('\n');
  for (const secret of [...secrets, ...resource.bearers]) expect(log).not.toContain(secret);
});
