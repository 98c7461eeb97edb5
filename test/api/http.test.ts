import { request as plainRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../support/api-client.ts';
import { startTestCloud, type TestCloud } from '../support/cloud.ts';
import { emitter } from '../support/components.ts';
import { operator } from '../support/operator.ts';

let cloud: TestCloud;
let api: ApiClient;
beforeAll(async () => {
  cloud = await startTestCloud();
  api = await apiClient(cloud.base, cloud.key);
});
afterAll(() => cloud.stop());

/** A request as no client library would send it. */
function raw(
  path: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string | string[]>; body?: Buffer | string } = {},
): Promise<{ status: number; body: string; headers: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    const sent = plainRequest(`${cloud.origin}${path}`, { method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, body: text, headers: response.headers });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
const bearer = () => ({ authorization: `Bearer ${cloud.key}` });

describe('authentication', () => {
  test.each([
    ['GET', '/v1/users/me'],
    ['GET', '/v1/sources/dc_unknown'],
    ['GET', '/v1/nothing/here'],
    ['PATCH', '/v1/webhooks'],
    ['POST', '/v1/sources'],
    ['GET', '/v1/sources/not-an-id/event_summaries?limit=0'],
    ['GET', '/v1/somewhere/%zz'],
  ])('401 comes before 404, 405 and 400: %s %s', async (method, path) => {
    const { status, headers, body } = await raw(path, { method });
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toBe('Bearer');
    expect(JSON.parse(body)).toMatchObject({ code: 'unauthenticated' });
  });

  test.each([
    ['Bearer'],
    ['Bearer '],
    ['Basic dXNlcjpwYXNz'],
    ['test-key-0123456789abcdef'],
    ['Bearer wrong-key'],
    ['Bearer test-key-0123456789abcdef extra'],
  ])('a garbled or wrong Authorization is 401: %s', async (authorization) => {
    expect((await raw('/v1/users/me', { headers: { authorization } })).status).toBe(401);
  });

  test('Bearer is case-insensitive', async () => {
    for (const scheme of ['bearer', 'BEARER', 'BeArEr']) {
      const { status } = await raw('/v1/users/me', { headers: { authorization: `${scheme} ${cloud.key}` } });
      expect(status).toBe(200);
    }
  });

  test('two Authorization headers are one invalid one', async () => {
    const twice = [`Bearer ${cloud.key}`, `Bearer ${cloud.key}`];
    const host = new URL(cloud.origin).host;
    const rawHeaders = ['Host', host, ...twice.flatMap((value) => ['Authorization', value])];
    const { status } = await new Promise<{ status: number }>((resolve, reject) => {
      const sent = plainRequest(`${cloud.origin}/v1/users/me`, { headers: rawHeaders as never }, (response) => {
        response.resume();
        resolve({ status: response.statusCode ?? 0 });
      });
      sent.on('error', reject);
      sent.end();
    });
    expect(status).toBe(401);
  });

  test('only openapi.json and CORS preflights need no key', async () => {
    for (const path of ['/openapi.json', '/docs']) expect((await raw(path)).status).toBe(200);
    const preflight = await raw('/v1/users/me', {
      method: 'OPTIONS',
      headers: { origin: 'https://example.org', 'access-control-request-method': 'GET' },
    });
    expect(preflight.status).toBeLessThan(300);
    expect(preflight.headers['access-control-allow-origin']).toBe('*');
  });

  test('CORS allows every origin, on errors too', async () => {
    const { status, headers } = await raw('/v1/users/me', { headers: { origin: 'https://example.org' } });
    expect(status).toBe(401);
    expect(headers['access-control-allow-origin']).toBe('*');
  });
});

describe('paths', () => {
  test('every path matches with and without a trailing slash', async () => {
    for (const path of ['/users/me', '/users/me/sources', '/users/me/webhooks', '/users/me/subscriptions']) {
      expect((await api.get(path)).status).toBe(200);
      expect((await api.get(`${path}/`)).status).toBe(200);
    }
    for (const path of ['/openapi.json', '/openapi.json/']) expect((await raw(path)).status).toBe(200);
  });

  test('an unknown path is 404, another method 405 with Allow', async () => {
    expect((await api.get('/unknown')).body).toMatchObject({ code: 'not_found' });
    expect((await api.get('/users/me/webhooks/x')).status).toBe(404);
    const { status, body, headers } = await api.call('PATCH', '/sources/dc_x');
    expect([status, body.code]).toEqual([405, 'method_not_allowed']);
    expect(headers.get('allow')?.split(', ').sort()).toEqual(['DELETE', 'GET', 'PUT']);
    expect((await raw('/openapi.json', { method: 'POST', headers: bearer() })).status).toBe(405);
  });

  test('Allow lists the methods of a path, and not those of one that has a parameter in its place', async () => {
    const allow = async (method: string, path: string) =>
      String((await raw(`/v1${path}`, { method, headers: bearer() })).headers['allow'])
        .split(', ')
        .sort();
    expect(await allow('PUT', '/components/configure')).toEqual(['POST']);
    expect(await allow('DELETE', '/accounts/connect')).toEqual(['POST']);
    expect(await allow('HEAD', '/users/me')).toEqual(['GET']);
  });

  test.each(['/', '/console', '/console/sources', '/docs', '/openapi.json', '/healthz'])(
    'HEAD of %s is GET without a body',
    async (path) => {
      const ask = (method: string) => fetch(cloud.origin + path, { method, redirect: 'manual' });
      const [head, get] = [await ask('HEAD'), await ask('GET')];
      expect([head.status, await head.text()]).toEqual([get.status, '']);
      for (const name of ['content-type', 'etag', 'location'])
        expect(head.headers.get(name)).toBe(get.headers.get(name));
    },
  );

  test('a malformed percent-escape is 404 in the path and 400 in the query', async () => {
    expect((await raw('/v1/components/%zz', { headers: bearer() })).status).toBe(404);
    expect((await raw('/v1/users/me?include=%zz', { headers: bearer() })).status).toBe(400);
    expect((await raw('/v1/users/me?x=%ff', { headers: bearer() })).status).toBe(400);
  });

  test('%2f in a segment is no separator', async () => {
    const { status, body } = await raw('/v1/components/registry%2fx', { headers: bearer() });
    expect([status, JSON.parse(body).error]).toEqual([404, 'There is no component registry/x.']);
  });

  test('$errors in a path may be percent-encoded', async () => {
    for (const errors of ['$errors', '%24errors']) {
      const { status, body } = await api.get(`/workflows/p_unknown/${errors}/event_summaries`);
      expect([status, body.error]).toEqual([404, 'There is no workflow p_unknown.']);
    }
  });
});

describe('queries', () => {
  test('a parameter given twice is 400, unless it is include or exclude', async () => {
    expect((await api.get('/users/me/webhooks', 'limit=1&limit=2')).status).toBe(400);
    const { body } = await api.get('/users/me', 'include=id&include=%20username%20,email&exclude=email&exclude=x');
    expect(Object.keys(body.data)).toEqual(['id', 'username']);
  });

  test('an empty parameter counts as not given', async () => {
    expect((await api.get('/users/me/webhooks', 'limit=&after=&before=&include=')).status).toBe(200);
    expect((await api.post('/webhooks', undefined, { query: 'url=' })).body).toMatchObject({
      code: 'invalid_request',
      error: 'url is required.',
      details: [{ path: 'url', message: 'is required' }],
    });
  });

  test.each(['0', '101', '1e2', '-1', 'abc', '1.5', '10 ', '0x10', '99999999999999999999'])(
    'limit %s is 400',
    async (limit) => {
      for (const path of ['/users/me/sources', '/users/me/webhooks']) {
        const { status, body } = await api.get(path, { limit });
        expect([status, body.details[0].path]).toEqual([400, 'limit']);
      }
    },
  );

  test('include and exclude look at own top-level fields only, and ignore what does not exist', async () => {
    expect((await api.get('/users/me', 'include=constructor')).body).toEqual({ data: {} });
    expect((await api.get('/users/me', 'include=nothing')).body).toEqual({ data: {} });
    expect((await api.get('/users/me', 'exclude=__proto__,toString')).body.data).toHaveProperty('id');
  });

  test('on POST and PUT they are read from the body too, and the query wins', async () => {
    const body = { url: 'https://example.org', include: 'id,url', exclude: 'id' };
    expect((await api.post('/webhooks', body)).body).toEqual({ data: { url: 'https://example.org' } });
    const { body: response } = await api.post('/webhooks', body, { query: 'include=name,url' });
    expect(response).toEqual({ data: { name: null, url: 'https://example.org' } });
    expect((await api.post('/webhooks', { ...body, include: 5 })).status).toBe(400);
  });
});

describe('bodies', () => {
  const send = (body: string | Buffer, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
    raw('/v1/webhooks', { method: 'POST', headers: { ...bearer(), ...headers }, body });

  test.each(['{', '{"url":}', '{"a":1}}', 'nonsense', "{'url':1}"])('broken JSON is 400: %s', async (text) => {
    const { status, body } = await send(text);
    expect([status, JSON.parse(body).code]).toEqual([400, 'malformed_json']);
    expect(JSON.parse(body).error).toMatch(/^The body is not valid JSON: .* \(line 1, column \d+\)\.$/);
  });

  test('a byte order mark is not JSON', async () => {
    const { status, body } = await send('\ufeff{"url":"https://example.org"}');
    expect([status, JSON.parse(body).code]).toEqual([400, 'malformed_json']);
  });

  test('the body of a GET is ignored', async () => {
    const headers = { ...bearer(), 'content-type': 'text/plain', 'content-length': '1' };
    expect((await raw('/v1/users/me', { headers, body: '{' })).status).toBe(200);
  });

  test.each(['[]', '"text"', '5', 'null', 'true'])('the top level is an object, not %s', async (text) => {
    expect((await send(text)).status).toBe(400);
  });

  test('a body needs Content-Type: application/json; charset is fine', async () => {
    const text = JSON.stringify({ url: 'https://example.org' });
    expect((await send(text, {})).status).toBe(415);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx']) {
      expect((await send(text, { 'content-type': type })).status).toBe(415);
    }
    for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset=latin1']) {
      expect((await send(text, { 'content-type': type })).status).toBe(200);
    }
  });

  test('an empty body is no body, whatever its Content-Type', async () => {
    const headers = { ...bearer(), 'content-type': 'text/plain' };
    const { status } = await raw('/v1/webhooks?url=https://example.org', { method: 'POST', headers });
    expect(status).toBe(200);
  });

  test('a body over 1 MiB is 413, one of 1 MiB is taken', async () => {
    const text = (length: number) => JSON.stringify({ url: 'https://example.org', padding: 'x' }).padEnd(length);
    expect((await send(text(1024 * 1024))).status).toBe(200);
    const { status, body } = await send(text(1024 * 1024 + 1));
    expect([status, JSON.parse(body).code]).toEqual([413, 'too_large']);
    expect((await send(text(1_153_434))).status).toBe(413);
  });

  test('256 levels are taken, one more is 400 too_deep', async () => {
    const nested = (depth: number) =>
      `{"url":"https://example.org","x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
    expect((await send(nested(256))).status).toBe(200);
    for (const depth of [257, 100_000]) {
      const { status, body } = await send(nested(depth));
      expect([status, JSON.parse(body).code]).toEqual([400, 'too_deep']);
    }
    expect((await send(`{"url":"https://example.org","x":"${'['.repeat(500)}"}`)).status).toBe(200);
  });

  test('50,000 values are taken, more are 400 too_many_values', async () => {
    // The object, the array, and the two commas between members count too.
    const withValues = (count: number) =>
      `{"url":"https://example.org","x":[${Array.from({ length: count - 3 }, () => 1).join(',')}]}`;
    expect((await send(withValues(50_000))).status).toBe(200);
    const { status, body } = await send(withValues(50_001));
    expect([status, JSON.parse(body).code]).toEqual([400, 'too_many_values']);
  });

  test('a body that is not UTF-8 is 400', async () => {
    const body = Buffer.concat([
      Buffer.from('{"url":"https://example.org","name":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}'),
    ]);
    expect((await send(body)).status).toBe(400);
  });

  test('unknown body fields are ignored', async () => {
    expect((await api.post('/webhooks', { url: 'https://example.org', org_id: 'o_1' })).status).toBe(200);
  });
});

const aSource = async (): Promise<string> => (await api.post('/sources', { component_code: emitter() })).body.data.id;
const aWebhook = async (): Promise<string> =>
  (await api.post('/webhooks', { url: 'http://127.0.0.1:9/' })).body.data.id;

describe('null is no body where a body is optional', () => {
  const withNull = (path: string, raw = 'null') => api.post(path, undefined, { raw });

  test('for a run, a test, a rotation and a token', async () => {
    const [source, webhook] = [await aSource(), await aWebhook()];
    for (const text of ['null', ' null\n']) {
      expect((await withNull(`/sources/${source}/run`, text)).status).toBe(200);
      expect((await withNull(`/webhooks/${webhook}/test`, text)).status).toBe(200);
      expect((await withNull(`/webhooks/${webhook}/secret`, text)).status).toBe(200);
      expect((await withNull(`/sources/${source}/sse_tokens`, text)).status).toBe(200);
    }
  });

  test('for parameters in the query, and for a removal', async () => {
    const [source, webhook] = [await aSource(), await aWebhook()];
    const query = `emitter_id=${source}&listener_id=${webhook}`;
    expect((await api.post('/subscriptions', undefined, { raw: 'null', query })).status).toBe(200);
    expect((await api.call('DELETE', '/subscriptions', { raw: 'null', query })).status).toBe(204);
    expect((await api.call('DELETE', `/sources/${source}/events`, { raw: 'null' })).status).toBe(202);
  });

  test('and a body that is needed is asked for', async () => {
    const { status, body } = await withNull('/sources');
    expect([status, body.error]).toEqual([400, expect.stringMatching(/component_id is required/) as string]);
    const source = await aSource();
    for (const raw of ['[null]', '"null"', 'nulls', 'Null'])
      expect((await withNull(`/sources/${source}/run`, raw)).status, raw).toBe(400);
  });
});

test.each([{ key: '' }, { key: '', component_id: '' }, { key: '', name: 'x' }])(
  'a source of the key "" is 400, not an error of the service: %j',
  async (body) => {
    const source = await aSource();
    for (const [method, path] of [
      ['POST', '/sources'],
      ['PUT', `/sources/${source}`],
    ] as const) {
      const response = await api.call(method, path, { body });
      expect([response.status, response.body.code]).toEqual([400, 'invalid_request']);
    }
  },
);

test('a component whose key is empty has none, and is not published', async () => {
  const { body } = await api.post('/components', { component_code: emitter({ name: 'Keyless', key: '' }) });
  expect((await api.get(`/components/${body.data.id}`)).body.data.key).toBeNull();
  await expect(operator(cloud)('components publish', { id: body.data.id })).rejects.toThrow(/has no key/);
});

test('an error has its code, its details and the id of its request, also as header', async () => {
  const { body, headers, status } = await api.post('/webhooks', { url: 7, name: {} });
  expect(status).toBe(400);
  expect(body).toEqual({
    error: 'url must be a string.',
    code: 'invalid_request',
    details: [
      { path: 'url', message: 'must be a string' },
      { path: 'name', message: 'must be a string' },
    ],
    request_id: headers.get('x-request-id'),
  });
});

describe('no response is cached, or taken for another type than it says', () => {
  const json = { 'content-type': 'application/json' };
  test.each([
    ['a response', 200, 'GET', '/v1/users/me', {}],
    ['an unknown object', 404, 'DELETE', '/v1/webhooks/wh_aaaaaa', {}],
    ['wrong input', 400, 'GET', '/v1/users/me/sources?limit=0', {}],
    ['malformed JSON', 400, 'POST', '/v1/webhooks', { headers: json, body: '{' }],
    ['no key', 401, 'GET', '/v1/users/me', { headers: { authorization: 'Bearer none' } }],
    ['an unknown path', 404, 'GET', '/v1/nothing/here', {}],
    ['a malformed path', 404, 'GET', '/v1/%zz', {}],
    ['the root', 404, 'GET', '/v1', {}],
    ['another method', 405, 'PATCH', '/v1/webhooks', {}],
    ['a large body', 413, 'POST', '/v1/webhooks', { headers: json, body: ' '.repeat(1024 * 1024 + 1) }],
    [
      'a body that the gateway refuses',
      413,
      'POST',
      '/v1/webhooks',
      { headers: json, body: ' '.repeat(11 * 1024 * 1024) },
    ],
    ['another type', 415, 'POST', '/v1/webhooks', { headers: { 'content-type': 'text/plain' }, body: 'x' }],
    [
      'a preflight',
      204,
      'OPTIONS',
      '/v1/users/me',
      { headers: { origin: 'https://a.example', 'access-control-request-method': 'GET' } },
    ],
  ] as const)('%s', async (_, expected, method, path, sent) => {
    const { status, headers } = await raw(path, {
      ...sent,
      method,
      headers: { ...bearer(), ...('headers' in sent ? sent.headers : {}) },
    });
    expect(status).toBe(expected);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  });
});
