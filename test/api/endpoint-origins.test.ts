import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../support/command.ts';
import { requestOfHost } from '../support/host-request.ts';
import { operator } from '../support/operator.ts';
import { type Deployed, Scene } from '../support/scene.ts';
import { aUser } from '../support/stores.ts';

const BASE = 'https://hooks.example.com';

/** Answers with its event, and with the address that it would register. */
const MIRROR = `export default {
  name: 'Mirror', version: '0.0.1', props: { http: { type: '$.interface.http', customResponse: true }, db: '$.service.db' },
  hooks: {
    activate() { this.db.set('hooks', [...(this.db.get('hooks') ?? []), 'activate ' + this.http.endpoint]); },
    deactivate() { this.db.set('hooks', [...(this.db.get('hooks') ?? []), 'deactivate ' + this.http.endpoint]); },
  },
  run(event) { this.http.respond({ status: 200, body: { ...event, endpoint: this.http.endpoint, hooks: this.db.get('hooks') } }); },
};`;

/** Checks signatures as the public sources of Twilio do. */
const SIGNED = `import { createHmac } from 'node:crypto';
export default {
  name: 'Signed', version: '0.0.1', props: { http: '$.interface.http' },
  run({ headers, body }) {
    const signed = Object.keys(body).sort().reduce((text, name) => text + name + body[name], this.http.endpoint + '/');
    const signature = createHmac('sha1', 'token').update(signed).digest('base64');
    if (signature === headers['x-twilio-signature']) this.$emit(body);
  },
};`;

let scene: Scene;
let mirror: Deployed;
beforeAll(async () => {
  scene = await Scene.open({ publicUrl: 'https://*.hooks.example.com' });
  mirror = await scene.source(MIRROR, { endpoint: 'origin' });
});
afterAll(() => scene.close());

const idOf = ({ endpoint }: Deployed) => new URL(endpoint).hostname.split('.')[0] ?? '';
async function seen(url: string, more: { host?: string; method?: string } = {}) {
  const { status, text } = await requestOfHost(scene.cloud.ingress, { url, ...more });
  expect(status, text).toBe(200);
  return JSON.parse(text);
}

describe('an endpoint that is an origin', () => {
  test('has its id in the host, for its owner and for the component', async () => {
    expect(mirror.endpoint).toMatch(/^https:\/\/[0-9a-f]{32}\.hooks\.example\.com$/);
    const { body } = await scene.api.get(`/sources/${mirror.id}`);
    expect(body.data).toMatchObject({ endpoint: 'origin', endpoint_url: mirror.endpoint });
    expect(await seen(mirror.endpoint)).toMatchObject({
      endpoint: mirror.endpoint,
      path: '/',
      url: `${mirror.endpoint}/`,
      hooks: [`activate ${mirror.endpoint}`],
    });
  });

  test.each(['/', '/some/path?a=1', '/workflows/p_1/emits', '/healthz', '/v1/sources'])(
    'gives the component every path: %s',
    async (path) => {
      const event = await seen(`${mirror.endpoint}${path}`, { method: 'GET' });
      expect([event.path, event.url]).toEqual([path.replace(/\?.*/, ''), `${mirror.endpoint}${path}`]);
    },
  );

  test.each([
    ['in upper case', (host: string) => host.toUpperCase()],
    ['with a port', (host: string) => `${host}:8443`],
    ['with a last dot', (host: string) => `${host}.`],
  ])('is found by its host %s', async (_, hostOf) => {
    const { host } = new URL(mirror.endpoint);
    expect(await seen(mirror.endpoint, { host: hostOf(host) })).toMatchObject({ url: `${mirror.endpoint}/` });
  });

  test.each(['hooks.example.com', 'other.test', '127.0.0.1:3001'])(
    'is also found by its path, at the host %s',
    async (host) => {
      const url = `${BASE}/${idOf(mirror)}`;
      expect(await seen(`${url}/x`, { host })).toMatchObject({ path: '/x', url: `${url}/x` });
    },
  );

  test('gets the event of a run that its owner requests, with its address', async () => {
    const passes = await scene.source(
      `export default { name: 'Passes', version: '0.0.1', props: { http: '$.interface.http' }, run(event) { this.$emit(event); } };`,
      { endpoint: 'origin' },
    );
    await scene.api.post(`/sources/${passes.id}/run`, { a: 1 });
    const [event] = await scene.eventsOf(passes.id, 1, { expand: 'event' });
    expect(event?.event).toMatchObject({
      url: `${passes.endpoint}/`,
      headers: { host: new URL(passes.endpoint).host },
      body: { a: 1 },
    });
  });

  test.each(['', '/'])('emits an SMS that its sender signs over the given address and %j', async (slash) => {
    const source = await scene.source(SIGNED, { endpoint: 'origin' });
    const url = `${source.endpoint}${slash}`;
    const fields = { Body: 'Hello', From: '+15550100', MessageSid: 'SM1' };
    // An address without a path is asked for, and signed, with the path `/`.
    const signed = Object.entries(fields).reduce((text, field) => text + field.join(''), new URL(url).href);
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': createHmac('sha1', 'token').update(signed).digest('base64'),
    };
    const body = new URLSearchParams(fields).toString();
    await requestOfHost(scene.cloud.ingress, { url, headers, body });
    expect((await scene.eventsOf(source.id, 1, { expand: 'event' }))[0]?.event).toEqual(fields);
  });

  test('becomes a path, and an origin again, by updates whose hooks see both addresses', async () => {
    const source = await scene.source(MIRROR, { endpoint: 'origin' });
    const { data: path } = (await scene.api.put(`/sources/${source.id}`, { endpoint: 'path' })).body;
    const url = `${BASE}/${idOf(source)}`;
    expect(path).toMatchObject({ endpoint: 'path', endpoint_url: url });
    // The former address works, too: it may be registered somewhere.
    expect(await seen(source.endpoint)).toMatchObject({ endpoint: url, url: `${source.endpoint}/` });
    await scene.api.put(`/sources/${source.id}`, { name: 'renamed' });
    const { data: origin } = (await scene.api.put(`/sources/${source.id}`, { endpoint: 'origin' })).body;
    expect(origin).toMatchObject({ endpoint: 'origin', endpoint_url: source.endpoint });
    expect((await seen(source.endpoint)).hooks).toEqual([
      `activate ${source.endpoint}`,
      `deactivate ${source.endpoint}`,
      `activate ${url}`,
      `deactivate ${url}`,
      `activate ${source.endpoint}`,
    ]);
  });
});

test.each(['0'.repeat(32), 'a.b', 'www', `x.${'0'.repeat(32)}`])(
  'the label %s, which no endpoint has, is 404, whatever the path',
  async (label) => {
    for (const path of ['/', '/healthz', `/${idOf(mirror)}`]) {
      const url = `https://${label}.hooks.example.com${path}`;
      expect((await requestOfHost(scene.cloud.ingress, { url })).status).toBe(404);
    }
  },
);

test('paths stay the default, and those of workflows and of the health check are at the host without the wildcard', async () => {
  const source = await scene.source(MIRROR);
  expect(source.endpoint).toMatch(/^https:\/\/hooks\.example\.com\/[0-9a-f]{32}$/);
  expect(source.data.endpoint).toBe('path');
  expect(await seen(source.endpoint)).toMatchObject({ endpoint: source.endpoint, url: source.endpoint });
  const { body: me } = await scene.api.get('/users/me');
  const registered = await operator(scene.cloud)<{ ingest_url: string }>('workflows register', {
    owner: me.data.id,
    name: 'orders',
    target: 'https://workflows.example/orders',
  });
  expect(registered.ingest_url).toMatch(/^https:\/\/hooks\.example\.com\/workflows\/p_/);
  const health = { url: `${BASE}/healthz`, method: 'GET' };
  expect(JSON.parse((await requestOfHost(scene.cloud.ingress, health)).text)).toMatchObject({ status: 'ok' });
});

test('the command line creates such a source, changes it, and carries it to another user and back', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-origins-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  writeFileSync(join(folder, 'signed.mjs'), SIGNED);
  const runAs = async ({ key }: { key: string }, ...argv: string[]) => {
    const env = { TRIBUTARY_URL: scene.cloud.origin, TRIBUTARY_API_KEY: key };
    const { code, out, error } = await runCommand(argv, { env, cwd: folder });
    expect({ code, error }).toEqual({ code: 0, error: '' });
    return out;
  };
  const [from, to] = [await aUser(scene.cloud), await aUser(scene.cloud)];
  const form = async (user: { key: string }) =>
    (await scene.api.as(user.key).get('/users/me/sources')).body.data[0].endpoint;
  await runAs(from, 'sources', 'create', 'signed.mjs', '--name', 'sms', '--endpoint', 'origin');
  expect(await form(from)).toBe('origin');
  const origin = await runAs(from, 'export');
  await runAs(from, 'sources', 'update', 'sms', '--endpoint', 'path');
  expect(await form(from)).toBe('path');
  const path = await runAs(from, 'export');
  for (const [document, expected] of [
    [origin, 'origin'],
    [path, 'path'],
    [origin, 'origin'],
  ] as const) {
    writeFileSync(join(folder, 'account.json'), document);
    await runAs(to, 'import', 'account.json');
    expect(await form(to)).toBe(expected);
    expect(await runAs(to, 'export')).toBe(document);
  }
});

test.each(['Origin', 'host', null, 7])('the form %j is refused', async (endpoint) => {
  const { status, body } = await scene.api.put(`/sources/${mirror.id}`, { endpoint });
  expect([status, body.details]).toEqual([400, [{ path: 'endpoint', message: 'must be path or origin' }]]);
});
