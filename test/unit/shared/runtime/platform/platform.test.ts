import { createServer, type IncomingMessage, type Server } from 'node:http';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'esbuild';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as platform from '../../../../../shared/runtime/platform/platform.ts';
import * as types from '../../../../../shared/runtime/platform/types.ts';
import { closeServer } from '../../../../support/close-server.ts';

const { axios, ConfigurationError } = platform;

let server: Server;
let base = '';
let seen: { url: string; method: string; headers: IncomingMessage['headers']; body: string }[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    void text(request).then((body) => {
      const { url = '', method = '', headers } = request;
      seen.push({ url, method, headers, body });
      const status = Number(/status=(\d+)/.exec(url)?.[1] ?? 200);
      if (url.startsWith('/sign')) response.end('OAuth signed');
      else if (url.startsWith('/file/report%20a.pdf'))
        response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': 3, etag: '"e"' }).end('pdf');
      else response.writeHead(status, { 'content-type': 'application/json' }).end('{"response":[1]}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => closeServer(server));
beforeEach(() => {
  seen = [];
});

describe('axios', () => {
  test('answers with the data, or with the whole response', async () => {
    expect(await axios({}, { url: `${base}/` })).toEqual({ response: [1] });
    expect(await axios({}, { url: `${base}/`, returnFullResponse: true })).toMatchObject({
      status: 200,
      data: { response: [1] },
    });
  });

  test('drops undefined headers, parameters and data', async () => {
    await axios(undefined, {
      method: 'POST',
      url: `${base}/`,
      headers: { 'x-a': 'a', 'x-b': undefined },
      params: { p: 1, q: undefined },
      data: { d: null, e: undefined },
    });

    expect(seen[0]).toMatchObject({ url: '/?p=1', body: '{"d":null}', headers: { 'x-a': 'a' } });
    expect(seen[0]?.headers).not.toHaveProperty('x-b');
  });

  test('moves the parameters of the address to `params`, where those given win', async () => {
    await axios({}, { url: `${base}/x?a=1&b=2&c=3&c=4#f`, params: { b: 'B' } });

    expect(seen[0]?.url).toBe('/x?a=1&b=B&c=3&c=4');
  });

  test('refuses `body`', async () => {
    const config: object = { url: base, body: {} };

    await expect(axios({}, config)).rejects.toBeInstanceOf(ConfigurationError);
    expect(seen).toEqual([]);
  });

  test('throws the message of the other side', async () => {
    await expect(axios({}, { url: `${base}/?status=422` })).rejects.toMatchObject({
      name: 'AxiosError - Request failed with status code 422',
      message: '{"response":[1]}',
      response: { status: 422 },
    });
  });

  test('exports request and response with `debug`, where the step can', async () => {
    const exported: Record<string, unknown> = {};
    const step = { export: (name: string, value: unknown) => (exported[name] = value) };
    await axios(step, { url: `${base}/`, debug: true });
    await axios({}, { url: `${base}/`, debug: true });

    expect(exported).toMatchObject({
      debug_config: { url: `${base}/` },
      debug_response: { status: 200, data: { response: [1] } },
    });
  });

  test('create gives the same with defaults', async () => {
    await axios.create({ baseURL: base, headers: { 'x-a': '1' } })({}, { url: '/here' });

    expect(seen[0]).toMatchObject({ url: '/here', headers: { 'x-a': '1' } });
  });

  test('create gives what can be used as an instance of axios too', async () => {
    const api = axios.create({ baseURL: base, headers: { 'x-a': '1' } });
    expect(await api.get('/got', { headers: { 'x-b': '2' } })).toEqual({ response: [1] });
    await api.post('/sent', { a: 1 });
    await api.request({ method: 'DELETE', url: '/gone' });

    expect(seen.map(({ method, url, body }) => `${method} ${url} ${body}`)).toEqual([
      'GET /got ',
      'POST /sent {"a":1}',
      'DELETE /gone ',
    ]);
    expect(seen[0]?.headers).toMatchObject({ 'x-a': '1', 'x-b': '2' });
  });

  test('may be called with the config alone', async () => {
    await Reflect.apply(axios, undefined, [{ url: `${base}/alone` }]);

    expect(seen[0]?.url).toBe('/alone');
  });

  test('has an OAuth 1 signature made by the signer', async () => {
    const form = { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, data: 'a=1&b=2' };
    await axios(
      {},
      { method: 'POST', url: `${base}/api?q=1`, ...form },
      { oauthSignerUri: `${base}/sign`, token: 'T' },
    );

    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
      requestData: { method: 'post', url: `${base}/api?q=1`, data: { a: '1', b: '2' } },
      token: 'T',
    });
    expect(seen[1]).toMatchObject({
      url: '/api?q=1',
      headers: { authorization: 'OAuth signed' },
      body: 'a=1&b=2',
    });
  });
});

describe('the other exports', () => {
  test('ConfigurationError has a message for the user who configured the source', () => {
    const error = new ConfigurationError('Choose a list');

    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: 'ConfigurationError', message: 'Choose a list', exposeStack: false });
  });

  test('sources poll every 15 minutes by default', () => {
    expect(platform.DEFAULT_POLLING_SOURCE_TIMER_INTERVAL).toBe(900);
  });

  test('jsonStringifySafe and cloneSafe stand cycles and BigInts, and keep what occurs twice', () => {
    const shared = { s: 1 };
    const value: Record<string, unknown> = { n: 1n, a: shared, b: shared, list: [shared] };
    value['self'] = value;

    expect(platform.jsonStringifySafe(value)).toBe('{"n":"1","a":{"s":1},"b":{"s":1},"list":[{"s":1}]}');
    expect(platform.cloneSafe(value)).toEqual({ n: '1', a: { s: 1 }, b: { s: 1 }, list: [{ s: 1 }] });
    expect(
      platform.jsonStringifySafe({
        toJSON: () => {
          throw new Error('no');
        },
      }),
    ).toBeUndefined();
  });

  test('getFileStream reads paths and addresses, with metadata', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'platform-'));
    writeFileSync(join(directory, 'a.csv'), 'a,b');
    const local = await platform.getFileStreamAndMetadata(join(directory, 'a.csv'));
    const remote = await platform.getFileStreamAndMetadata(`${base}/file/report%20a.pdf`);

    expect(await text(local.stream)).toBe('a,b');
    expect(local.metadata).toMatchObject({ size: 3, name: 'a.csv', contentType: 'text/csv' });
    const pieces: unknown[] = await remote.stream.toArray();
    expect(pieces).toEqual([Buffer.from('pdf')]);
    expect(remote.metadata).toEqual({
      size: 3,
      name: 'report a.pdf',
      contentType: 'application/pdf',
      etag: '"e"',
    });
    await expect(platform.getFileStream(`${base}/?status=404`)).rejects.toThrow('404');
    rmSync(directory, { recursive: true });
  });

  test('sqlProxy and sqlProp name what an app must bring', () => {
    expect(platform.sqlProxy.methods.executeQuery).toThrow(ConfigurationError);
    expect(platform.sqlProp.methods.getSchema).toThrow('getSchema');
  });

  test('the members that only workflows support exist and throw an error with the reason', async () => {
    expect(() => platform.$end('enough')).toThrow(`${platform.END_NEEDLE} enough`);
    expect(platform.$send.email).toThrow(ConfigurationError);
    await platform.$send.http({ url: `${base}/sent`, method: 'POST', data: { a: 1 } });
    expect(seen[0]).toMatchObject({ url: '/sent', body: '{"a":1}' });
    expect(platform.sendTypeMap).toHaveProperty('http');
    expect(platform.HTTP_METHODS).toContain('GET');
    expect(platform.$event).toEqual({});
  });

  test('defineSource, defineApp and defineAction give back what they get', () => {
    const source = { name: 'S', version: '1' };
    const app = { type: 'app', app: 'x' } as const;
    const action = { type: 'action', name: 'A', version: '1', run: () => 1 } as const;

    expect([types.defineSource(source), types.defineApp(app), types.defineAction(action)]).toEqual([
      source,
      app,
      action,
    ]);
  });
});

test('bundled, the module serves named imports and require alike', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'platform-'));
  const outfile = join(directory, 'bundle.mjs');
  await build({
    stdin: {
      contents: `import { axios, ConfigurationError as E } from '@pipedream/platform';
        const required = require('@pipedream/platform');
        export default [typeof axios, required.axios === axios, required.ConfigurationError === E];`,
      resolveDir: process.cwd(),
    },
    alias: { '@pipedream/platform': './shared/runtime/platform/platform.ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    banner: {
      js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`,
    },
  });
  const bundle: { default: unknown } = await import(outfile);
  rmSync(directory, { recursive: true });

  expect(bundle.default).toEqual(['function', true, true]);
});
