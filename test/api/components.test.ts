import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../support/api-client.ts';
import { startTestCloud, type TestCloud } from '../support/cloud.ts';
import { echoComponent } from '../support/components.ts';
import { commandOf, descendants } from '../support/service.ts';
import { aUser, publish } from '../support/stores.ts';
import { until } from '../support/until.ts';

let cloud: TestCloud;
let api: ApiClient;
let other: ApiClient;
let files: Server;
let address: string;
const served = new Map<string, string>();
const requested: string[] = [];

beforeAll(async () => {
  cloud = await startTestCloud({ hasOwnBuilder: true });
  api = await apiClient(cloud.base, cloud.key);
  other = api.as((await aUser(cloud)).key);
  files = createServer((request, response) => {
    const path = request.url ?? '';
    requested.push(path);
    const text = served.get(path);
    response.statusCode = text === undefined ? 404 : 200;
    response.end(text);
  });
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await cloud.stop();
  files.close();
});

/** Build processes of this service, recognised by the path of their program. They outlive a build by half a minute. */
const building = () =>
  descendants(process.pid).filter((pid) => {
    const program = commandOf(pid).find((part) => part.endsWith('/child.js'));
    return program !== undefined && existsSync(join(dirname(program), 'platform.mjs'));
  });

const post = (body: object) => api.post('/components', body);

const WRITE = 'write `export default { name, … }` or `module.exports = { name, … }`';

describe('POST /components', () => {
  test('saves code and answers with the component', async () => {
    const code = `export default {
      name: 'Timer', key: 'my-timer', version: '1.2.3', description: 'Ticks.',
      props: {
        db: '$.service.db',
        timer: { type: '$.interface.timer', label: 'When', default: { intervalSeconds: 900 } },
        n: { type: 'integer', min: 1, max: 5, optional: true, options: [1, 2] },
        list: { type: 'string[]', async options() { return []; } },
      },
      run() {},
    };`;
    const { status, body } = await post({ component_code: code });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      code,
      code_hash: createHash('sha256').update(code).digest('hex'),
      name: 'Timer',
      key: 'my-timer',
      version: '1.2.3',
      description: 'Ticks.',
      component_url: null,
      configurable_props: [
        { name: 'db', type: '$.service.db' },
        { name: 'timer', type: '$.interface.timer', label: 'When', default: { intervalSeconds: 900 } },
        { name: 'n', type: 'integer', min: 1, max: 5, optional: true, options: [1, 2] },
        { name: 'list', type: 'string[]', remoteOptions: true },
      ],
    });
  });

  test('one of component_code and component_url is required', async () => {
    for (const body of [{}, { component_code: null }, { name: 'x' }]) {
      const response = await post(body);
      expect([response.status, response.body.error]).toEqual([
        400,
        'component_code is required unless component_url is given.',
      ]);
    }
    expect((await post({ component_code: 7 })).status).toBe(400);
  });

  test('identical content of the same user is one component, the newest of its key', async () => {
    const first = await post({ component_code: echoComponent({ key: 'twice', name: 'First' }) });
    const second = await post({ component_code: echoComponent({ key: 'twice', name: 'Second' }) });
    expect((await api.get('/components/twice')).body.data.id).toBe(second.body.data.id);
    const again = await post({ component_code: echoComponent({ key: 'twice', name: 'First' }) });
    expect(again.body.data.id).toBe(first.body.data.id);
    expect(again.body.data.updated_at).toBeGreaterThanOrEqual(first.body.data.updated_at);
    expect((await api.get('/components/twice')).body.data.id).toBe(first.body.data.id);
    const theirs = await other.post('/components', {
      component_code: echoComponent({ key: 'twice', name: 'First' }),
    });
    expect(theirs.body.data.id).not.toBe(first.body.data.id);
  });

  test('ten identical concurrent requests make one component', async () => {
    const code = echoComponent({ key: 'at-once', name: 'At once' });
    const responses = await Promise.all(Array.from({ length: 10 }, () => post({ component_code: code })));
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(new Set(responses.map(({ body }) => body.data.id)).size).toBe(1);
  });

  test('component_code is used and component_url only recorded when both are given', async () => {
    served.set('/never.mjs', 'nonsense(');
    const url = `${address}/never.mjs`;
    const { body } = await post({ component_code: echoComponent({ key: 'both' }), component_url: url });
    expect(body.data).toMatchObject({ key: 'both', component_url: url });
    expect(requested).not.toContain('/never.mjs');
  });

  test('component_url alone is fetched with the relative files it imports', async () => {
    served.set(
      '/a/source.mjs',
      `import { name } from './common.mjs'; export default { name, version: '1', run() {} };`,
    );
    served.set('/a/common.mjs', `export const name = 'From afar';`);
    const url = `${address}/a/source.mjs`;
    const { status, body } = await post({ component_url: url });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      name: 'From afar',
      component_url: url,
      code: served.get('/a/source.mjs'),
    });
    served.set('/a/common.mjs', `export const name = 'Changed';`);
    expect((await post({ component_url: url })).body.data.name).toBe('Changed');
  });

  test.each([
    ['ftp://example.org/x.mjs', 'invalid_url'],
    ['example.org/x.mjs', 'invalid_url'],
    ['http:///x.mjs', 'invalid_url'],
    ['', 'invalid_url'],
  ])('the address %s is 400', async (url, code) => {
    const { status, body } = await post({ component_url: url });
    expect([status, body.code]).toEqual([400, code]);
  });

  test('an address that holds what it held is answered without any process that builds', async () => {
    served.set('/still/a.mjs', `import b from './b.mjs'; export default { name: 'Still', key: 'still', b };`);
    served.set('/still/b.mjs', 'export default 1');
    const first = await post({ component_url: `${address}/still/a.mjs` });
    expect(first.status).toBe(200);
    // Simulates idle time: kills the build processes, but not the runner.
    for (const pid of building()) process.kill(pid, 'SIGKILL');
    await until('their end', () => building().length === 0);
    const again = await post({ component_url: `${address}/still/a.mjs` });
    expect(again.body.data).toMatchObject({ id: first.body.data.id, name: 'Still' });
    expect(building()).toEqual([]);
    served.set('/still/b.mjs', 'export default 2');
    const changed = await post({ component_url: `${address}/still/a.mjs` });
    expect(changed.body.data.id).not.toBe(first.body.data.id);
  });

  test('an address that cannot be fetched is a 400 that names it', async () => {
    const url = `${address}/missing.mjs`;
    const { status, body } = await post({ component_url: url });
    expect([status, body.code]).toEqual([400, 'build_failed']);
    expect(body.error).toContain(url);
  });

  test('code with a syntax error is a 400 that names the line', async () => {
    const { status, body } = await post({ component_code: 'export default {\n  name: "x",\n  run( {\n};' });
    expect([status, body.code]).toEqual([400, 'build_failed']);
    expect(body.error).toMatch(/:3|:4|line/);
  });

  test('a missing package is a 400 that names it', async () => {
    const code = `import x from '../nothing.mjs'; export default { name: 'x', run() {} };`;
    const { status, body } = await post({ component_code: code });
    expect([status, body.code]).toEqual([400, 'build_failed']);
    expect(body.error).toContain('../nothing.mjs');
  });

  test.each([
    ['no name', 'export default { version: "1", run() {} };', 'it has no `name`; every component needs one'],
    [
      'another type',
      'export default { name: "x", type: "action", run() {} };',
      'it is of type "action"; only sources can be deployed',
    ],
    ['no object', 'export default 5;', `it has no default export: ${WRITE}`],
    ['no export', '({ name: "x", run() {} })', `it exports nothing that could be one: ${WRITE}`],
    [
      'no export, though it requires',
      'const http = require("http"); ({ http })',
      `it exports nothing that could be one: ${WRITE}`,
    ],
    ['nothing at all', '', `it exports nothing that could be one: ${WRITE}`],
  ])('%s is 400 load_failed, and the message says so', async (_, code, message) => {
    const { status, body } = await post({ component_code: code });
    expect([status, body.code, body.error]).toEqual([400, 'load_failed', `The component does not load: ${message}`]);
  });

  test('an import and no export is 400 build_failed, and the message says so', async () => {
    const code = 'import http from "http"; ({ name: "x", run() {} })';
    const { status, body } = await post({ component_code: code });
    expect([status, body.code, body.error]).toEqual([
      400,
      'build_failed',
      'component.mjs has no default export: add export default { … }',
    ]);
  });

  test('a package that does not load without its native add-on is 400 build_failed', async () => {
    const code = `import { createRequire } from 'node:module'; let it;
      try { it = createRequire(import.meta.url)('some-package/build/it.node'); } catch {}
      if (!it) throw new Error('Not supported');
      export default { name: 'x', run() {} };`;
    const { status, body } = await post({ component_code: code });
    expect([status, body.code]).toEqual([400, 'build_failed']);
    expect(body.error).toContain('the package "some-package" needs a native add-on');
    expect(body.error).toContain('Not supported');
  });

  test('no default export is 400', async () => {
    expect((await post({ component_code: 'export const name = "x";' })).status).toBe(400);
  });

  test('an endless loop at load is 400 load_timeout, and others are served meanwhile', async () => {
    let isAnswered = false;
    const untrusted = post({ component_code: 'for (;;) {} export default { name: "x" };' }).finally(
      () => (isAnswered = true),
    );
    expect((await api.get('/users/me')).status).toBe(200);
    expect(isAnswered).toBe(false);
    const { status, body } = await untrusted;
    expect([status, body.code]).toEqual([400, 'load_timeout']);
  });

  test('code of nearly the body limit is kept whole', async () => {
    const code = `${echoComponent({ key: 'large' })}// ${'x'.repeat(1_000_000)}`;
    const { status, body } = await post({ component_code: code });
    expect(status).toBe(200);
    expect((await api.get(`/components/${body.data.id}`)).body.data.code).toBe(code);
  });

  test('half a surrogate pair is 400', async () => {
    expect((await post({ component_code: 'export default "\ud800"' })).status).toBe(400);
  });
});

describe('GET /components', () => {
  test("by id or key: the caller's own only", async () => {
    const { body } = await post({ component_code: echoComponent({ key: 'mine only' }) });
    for (const segment of [body.data.id, encodeURIComponent('mine only')]) {
      expect((await api.get(`/components/${segment}`)).body.data).toEqual(body.data);
      expect((await other.get(`/components/${segment}`)).status).toBe(404);
    }
    expect((await api.get('/components/sc_never')).status).toBe(404);
    expect((await api.get('/components/sc_!!')).status).toBe(404);
    expect((await api.get('/components/no-such-key')).status).toBe(404);
  });

  test('the registry has what the operator published, for every user; a newer one replaces it', async () => {
    const first = await post({ component_code: echoComponent({ key: 'public', name: 'One' }) });
    const second = await post({ component_code: echoComponent({ key: 'public', name: 'Two' }) });
    expect((await other.get('/components/registry/public')).status).toBe(404);
    await publish(cloud, first.body.data.id);
    expect((await other.get('/components/registry/public')).body.data.id).toBe(first.body.data.id);
    await publish(cloud, second.body.data.id);
    expect((await other.get('/components/registry/public/')).body.data.id).toBe(second.body.data.id);
    expect((await other.get(`/components/${first.body.data.id}`)).status).toBe(200);
    const source = await other.post('/sources', { component_id: first.body.data.id });
    expect(source.status).toBe(200);
    expect(source.body.data.component_id).toBe(first.body.data.id);
  });

  test('the registry is listed and searched by every user: the published one of each key, newest first', async () => {
    const app = `props: { github: { type: 'app', app: 'gallery_app' } },`;
    const made = [];
    for (const [key, more] of [
      ['gallery-one', ''],
      ['gallery-two', `${app} description: 'Tells of new stars.',`],
    ] as const) {
      const code = `export default { key: '${key}', name: 'Shown', version: '1', ${more} run() {} };`;
      const { body } = await post({ component_code: code });
      await publish(cloud, body.data.id);
      made.unshift(body.data.id);
    }
    const list = async (query: object) =>
      (await other.get('/users/me/components', { published: 'true', ...query })).body;
    const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);
    expect(idsOf(await list({ q: 'gallery-' }))).toEqual(made);
    expect(idsOf(await list({ q: 'gallery_app' }))).toEqual(made.slice(0, 1));
    expect(idsOf(await list({ q: 'NEW STARS' }))).toEqual(made.slice(0, 1));
    const first = await list({ q: 'gallery-', limit: 1 });
    expect(first.data[0]).not.toHaveProperty('code');
    const after = first.page_info.end_cursor;
    expect(idsOf(await list({ q: 'gallery-', after }))).toEqual(made.slice(1));
    expect((await other.get('/users/me/components', { after })).body.code).toBe('invalid_cursor');
    expect((await other.get('/users/me/components', { q: 'gallery-' })).body.data).toEqual([]);
  });
});
