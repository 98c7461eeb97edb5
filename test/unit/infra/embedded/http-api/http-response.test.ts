import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { CloudOptions } from '../../../../../infra/embedded/cloud.ts';
import { apiResources, type SmallStack, smallAssembly, startSmall } from '../cloud/small-stack.ts';

/** One function that answers with the value of the code. */
const answering = (value: string, more: Partial<SmallStack> = {}, options: Partial<CloudOptions> = {}) =>
  startSmall(
    {
      functions: { Mine: { code: `exports.handler = async (event) => (${value})` } },
      routes: { $default: 'Mine' },
      ...more,
    },
    options,
  );

async function respond(value: string) {
  const response = await fetch((await answering(value)).url);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe('the response of a function', () => {
  test('with a status is passed on unchanged', async () => {
    const { status, headers, text } = await respond(
      `{ statusCode: 201, headers: { 'Content-Type': 'text/x', 'X-Mine': 'ü' }, body: 'ä', cookies: ['a=1', 'b=2'] }`,
    );
    expect([status, text, headers.get('content-type'), headers.getSetCookie()]).toEqual([
      201,
      'ä',
      'text/x',
      ['a=1', 'b=2'],
    ]);
    expect(headers.get('apigw-requestid')).toMatch(/./);
  });

  test('in base64 is passed on as bytes', async () => {
    expect(
      (await respond(`{ statusCode: 200, body: Buffer.from('bytes').toString('base64'), isBase64Encoded: true }`)).text,
    ).toBe('bytes');
  });

  test.each([
    ['{ a: 1 }', '{"a":1}'],
    ['[1]', '[1]'],
    ['"text"', 'text'],
    ['undefined', 'null'],
  ])('without a status is a 200 of JSON: %s', async (value, body) => {
    const { status, headers, text } = await respond(value);
    expect([status, headers.get('content-type'), text]).toEqual([200, 'application/json', body]);
  });

  test.each([
    ['bytes', `Buffer.alloc(4_700_000).toString('base64')`, `Buffer.alloc(4_800_000).toString('base64')`, true],
    ['quotes', `'"'.repeat(3_100_000)`, `'"'.repeat(3_300_000)`, false],
  ])('of too many %s is a 500: Lambda counts the JSON', async (_kind, longest, longer, isBase64Encoded) => {
    const of = async (body: string) =>
      (await respond(`{ statusCode: 200, body: ${body}, isBase64Encoded: ${isBase64Encoded} }`)).status;
    expect([await of(longest), await of(longer)]).toEqual([200, 500]);
  });

  test.each([
    `{ statusCode: '200' }`,
    `{ statusCode: 99 }`,
    `{ statusCode: 200, body: { a: 1 } }`,
    `{ statusCode: 200, headers: { a: 1 } }`,
    `{ statusCode: 200, headers: { 'a b': 'x' } }`,
    `{ statusCode: 200, headers: { a: 'x\\ny' } }`,
    `{ statusCode: 200, cookies: 'a=1' }`,
    `{ statusCode: 200, isBase64Encoded: 'yes' }`,
    `(() => { throw new Error('broken') })()`,
  ])('malformed is a 500 of the gateway: %s', async (value) => {
    const { status, headers, text } = await respond(value);
    expect([status, headers.get('content-type'), text]).toEqual([
      500,
      'application/json',
      '{"message":"Internal Server Error"}',
    ]);
  });

  test('cannot set the headers of the gateway', async () => {
    const { status, text } = await respond(
      `{ statusCode: 200, headers: { 'content-length': '1', 'transfer-encoding': 'chunked', connection: 'close' }, body: 'whole' }`,
    );
    expect([status, text]).toEqual([200, 'whole']);
  });

  test('to a HEAD, or with 204, has no body', async () => {
    const cloud = await answering(
      `event.rawPath === '/none' ? { statusCode: 204, body: '' } : { statusCode: 200, body: 'x' }`,
    );
    const head = await fetch(cloud.url, { method: 'HEAD' });
    expect([head.status, await head.text(), head.headers.get('content-length')]).toEqual([200, '', '1']);
    const none = await fetch(`${cloud.url}/none`);
    expect([none.status, none.headers.get('content-length')]).toEqual([204, null]);
  });

  test('is a 500 if the function does not allow the gateway to invoke it', async () => {
    const stack = {
      functions: { Mine: { code: 'exports.handler = async () => "never"' } },
      routes: { $default: 'Mine' },
    };
    const assembly = smallAssembly(stack);
    delete assembly.template.Resources['ApiPermission0'];
    const response = await fetch((await startSmall(stack, { assembly })).url);
    expect([response.status, await response.text()]).toEqual([500, '{"message":"Internal Server Error"}']);
  });
});

describe('CORS', () => {
  const cors = {
    AllowOrigins: ['*'],
    AllowMethods: ['*'],
    AllowHeaders: ['authorization', 'content-type'],
    ExposeHeaders: ['x-request-id'],
    MaxAge: 3600,
  };
  const open = (value: string) => answering(value, { api: { CorsConfiguration: cors } });
  const preflight = (url: string, origin = 'https://page.example') =>
    fetch(url, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    });

  test('the gateway answers a preflight without the function', async () => {
    const cloud = await open(`(() => { throw new Error('asked') })()`);
    const response = await preflight(`${cloud.url}/anything`);
    expect(response.status).toBe(204);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': '*',
      'access-control-allow-headers': 'authorization,content-type',
      'access-control-max-age': '3600',
    });
  });

  test.each([
    `{ statusCode: 200, headers: { 'Access-Control-Allow-Origin': 'mine' }, body: '' }`,
    `(() => { throw new Error('broken') })()`,
  ])(
    'a response to a page has the CORS headers of the gateway instead of the function’s, also after a failure: %s',
    async (value) => {
      const response = await fetch((await open(value)).url, { headers: { origin: 'https://page.example' } });
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('access-control-expose-headers')).toBe('x-request-id');
    },
  );

  test('a response to a request without an origin has no CORS headers', async () => {
    const response = await fetch((await open(`{ statusCode: 200 }`)).url);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('only the named origins are allowed', async () => {
    const cloud = await answering('1', {
      api: { CorsConfiguration: { ...cors, AllowOrigins: ['https://one.example'] } },
    });
    const allowed = await preflight(cloud.url, 'https://one.example');
    expect([allowed.headers.get('access-control-allow-origin'), allowed.headers.get('vary')]).toEqual([
      'https://one.example',
      'Origin',
    ]);
    expect((await preflight(cloud.url, 'https://two.example')).headers.get('access-control-allow-origin')).toBeNull();
  });

  test('without configuration, the CORS headers of the function are passed on', async () => {
    const response = await preflight(
      (await answering(`{ statusCode: 200, headers: { 'Access-Control-Allow-Origin': 'mine' } }`)).url,
    );
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, 'mine']);
  });
});

test('a stage answers Too Many Requests after its burst', async () => {
  const stage = { DefaultRouteSettings: { ThrottlingBurstLimit: 3, ThrottlingRateLimit: 0.001 } };
  const cloud = await answering('1', { stage });
  const statuses: number[] = [];
  for (let n = 0; n < 4; n += 1) statuses.push((await fetch(cloud.url)).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  expect(await (await fetch(cloud.url)).json()).toEqual({ message: 'Too Many Requests' });
});

test('each API has a port of its own, and answers every path there', async () => {
  const name = (id: string) => ({ code: `exports.handler = async (event) => '${id} ' + event.routeKey` });
  const cloud = await startSmall({
    functions: { Public: name('public'), Endpoints: name('ingress') },
    routes: { 'ANY /v1/things': 'Public', 'GET /openapi.json': 'Public', $default: 'Public' },
    resources: apiResources('Ingress', { routes: { $default: 'Endpoints' } }),
  });
  const bodyOf = async (url: string) => (await fetch(url)).text();
  expect(await bodyOf(`${cloud.url}/v1/things`)).toBe('public ANY /v1/things');
  expect(await bodyOf(`${cloud.url}/openapi.json`)).toBe('public GET /openapi.json');
  expect(await bodyOf(`${cloud.url}/0123456789abcdef/hook`)).toBe('public $default');
  expect(await bodyOf(`${cloud.ingressUrl}/0123456789abcdef/hook`)).toBe('ingress $default');
  expect(await bodyOf(`${cloud.ingressUrl}/v1/things`)).toBe('ingress $default');
});

test('a client that disconnects does no harm', async () => {
  const cloud = await answering(`await new Promise((resolve) => setTimeout(resolve, 20)), 'late'`);
  await new Promise<void>((resolve) => {
    const sent = request(cloud.url, () => undefined).on('error', () => {
      resolve();
    });
    sent.end();
    setImmediate(() => sent.destroy(new Error('gone')));
  });
  expect(await (await fetch(cloud.url)).text()).toBe('late');
});
