import { request } from 'node:http';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Cloud } from '../../../../../infra/embedded/cloud.ts';
import { until } from '../../../../support/until.ts';
import { startSmall } from '../cloud/small-stack.ts';

const echo = { code: 'exports.handler = async (event) => event' };
const started = (routes: Record<string, string> = { $default: 'Echo' }) =>
  startSmall({ functions: { Echo: echo }, routes });

async function eventOf(cloud: Cloud, path: string, init?: RequestInit): Promise<APIGatewayProxyEventV2> {
  const response = await fetch(cloud.url + path, init);
  expect(response.status).toBe(200);
  return (await response.json()) as APIGatewayProxyEventV2;
}

/** Sends the headers unchanged, also repeated ones. */
function rawEventOf(cloud: Cloud, path: string, headers: string[]): Promise<APIGatewayProxyEventV2> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(cloud.url);
    const sent = request({ hostname, port, path, headers: ['Host', 'here', ...headers] as never }, (response) => {
      let text = '';
      response
        .on('data', (chunk) => (text += String(chunk)))
        .on('end', () => {
          resolve(JSON.parse(text) as APIGatewayProxyEventV2);
        });
    });
    sent.on('error', reject).end();
  });
}

describe('the event of a request', () => {
  test('has the shape of payload format 2.0', async () => {
    const cloud = await started({ 'ANY /v1/things/{proxy+}': 'Echo' });
    const event = await eventOf(cloud, '/v1/things/a/b?x=1&x=2&y=a%20b+c', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'User-Agent': 'tester', Cookie: 'a=1; b=2' },
      body: '{"ä":1}',
    });
    expect(event).toMatchObject({
      version: '2.0',
      routeKey: 'ANY /v1/things/{proxy+}',
      rawPath: '/v1/things/a/b',
      rawQueryString: 'x=1&x=2&y=a%20b+c',
      cookies: ['a=1', 'b=2'],
      queryStringParameters: { x: '1,2', y: 'a b c' },
      pathParameters: { proxy: 'a/b' },
      body: '{"ä":1}',
      isBase64Encoded: false,
      requestContext: {
        accountId: '000000000000',
        apiId: 'api',
        domainName: new URL(cloud.url).host,
        http: {
          method: 'POST',
          path: '/v1/things/a/b',
          protocol: 'HTTP/1.1',
          sourceIp: '127.0.0.1',
          userAgent: 'tester',
        },
        requestId: expect.any(String) as unknown,
        routeKey: 'ANY /v1/things/{proxy+}',
        stage: '$default',
        time: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/) as unknown,
        timeEpoch: expect.any(Number) as unknown,
      },
    });
    expect(event.headers).toMatchObject({
      'content-type': 'application/json',
      'x-forwarded-for': '127.0.0.1',
    });
    expect(event.headers['cookie']).toBeUndefined();
  });

  test('lacks the absent parts of the request: body, query, cookies, parameters', async () => {
    const event = await eventOf(await started(), '/');
    for (const name of ['body', 'queryStringParameters', 'cookies', 'pathParameters'])
      expect(event).not.toHaveProperty(name);
    expect(event.rawQueryString).toBe('');
  });

  test('joins the values of a repeated header with a comma', async () => {
    const event = await rawEventOf(await started(), '/', [
      'Authorization',
      'Bearer a',
      'authorization',
      'Bearer b',
      '__proto__',
      'x',
    ]);
    expect(event.headers['authorization']).toBe('Bearer a,Bearer b');
  });

  test.each([
    ['application/json', false],
    ['application/json; charset=utf-8', false],
    ['application/vnd.api+json', false],
    ['text/html', false],
    ['application/xml', false],
    ['application/octet-stream', true],
    ['image/png', true],
    ['application/x-www-form-urlencoded', true],
  ])('carries a body of %s as base64: %s', async (type, isBase64Encoded) => {
    const event = await eventOf(await started(), '/', {
      method: 'POST',
      headers: { 'content-type': type },
      body: 'text',
    });
    expect(event.isBase64Encoded).toBe(isBase64Encoded);
    expect(Buffer.from(event.body ?? '', isBase64Encoded ? 'base64' : 'utf8').toString()).toBe('text');
  });

  test('has the path as it was sent, also with malformed escapes', async () => {
    const cloud = await started({ 'ANY /v1/things/{id}': 'Echo', $default: 'Echo' });
    expect((await rawEventOf(cloud, '/v1/things/a%2fb', [])).rawPath).toBe('/v1/things/a%2fb');
    expect((await rawEventOf(cloud, '/v1/things/a%2fb', [])).pathParameters).toEqual({ id: 'a/b' });
    expect((await rawEventOf(cloud, '/v1/things/%zz', [])).pathParameters).toEqual({ id: '%zz' });
    expect((await rawEventOf(cloud, '/?a=%zz&=&b', [])).queryStringParameters).toEqual({
      a: '%zz',
      '': '',
      b: '',
    });
  });
});

describe('the route of a request', () => {
  const routes = {
    'GET /v1/things': 'Echo',
    'ANY /v1/things': 'Echo',
    'GET /v1/things/{id}': 'Echo',
    'GET /v1/things/special': 'Echo',
    'ANY /v1/things/{proxy+}': 'Echo',
    'GET /openapi.json': 'Echo',
    $default: 'Echo',
  };

  test.each([
    ['GET', '/v1/things', 'GET /v1/things'],
    ['POST', '/v1/things', 'ANY /v1/things'],
    ['GET', '/v1/things/1', 'GET /v1/things/{id}'],
    ['GET', '/v1/things/special', 'GET /v1/things/special'],
    ['POST', '/v1/things/special', 'ANY /v1/things/{proxy+}'],
    ['GET', '/v1/things/1/2', 'ANY /v1/things/{proxy+}'],
    ['GET', '/v1/things/', 'ANY /v1/things/{proxy+}'],
    ['GET', '/v1/thingsome', '$default'],
    ['GET', '/openapi.json', 'GET /openapi.json'],
    ['POST', '/openapi.json', '$default'],
    ['GET', '/', '$default'],
  ])('%s %s is %s', async (method, path, routeKey) => {
    const cloud = await started(routes);
    expect((await eventOf(cloud, path, { method })).routeKey).toBe(routeKey);
  });

  test('may not exist without $default: the gateway answers Not Found', async () => {
    const response = await fetch(`${(await started({ 'GET /a': 'Echo' })).url}/b`);
    expect([response.status, await response.json()]).toEqual([404, { message: 'Not Found' }]);
  });
});

describe('bodies', () => {
  test('above 10 MB are refused before they are read', async () => {
    const cloud = await started();
    const response = await fetch(cloud.url, { method: 'POST', body: Buffer.alloc(10 * 1024 * 1024 + 1) });
    expect([response.status, await response.json()]).toEqual([413, { message: 'Request Entity Too Large' }]);
  });

  test('above 10 MB can be sent to the end, so that the client reads the response', async () => {
    const { port } = new URL((await started()).url);
    const socket = connect(Number(port), '127.0.0.1');
    onTestFinished(() => {
      socket.destroy();
    });
    let response = '';
    // The failing write reports the error, too.
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => (response += String(chunk)));
    const write = promisify((data: string | Buffer, done: (error?: Error | null) => void) => socket.write(data, done));
    const [times, part] = [20, Buffer.alloc(1024 * 1024)];
    await write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${times * part.length}\r\n\r\n`);
    await until('the response', () => response.endsWith('{"message":"Request Entity Too Large"}'));
    for (let n = 0; n < times; n += 1) await write(part);
    expect(response).toMatch(/^HTTP\/1.1 413 /);
  });

  test('that do not fit an event of 6 MB are refused', async () => {
    const cloud = await started();
    const response = await fetch(cloud.url, {
      method: 'POST',
      headers: { 'content-type': 'image/png' },
      body: Buffer.alloc(5_000_000),
    });
    expect(response.status).toBe(413);
  });

  test('may come without a length', async () => {
    const cloud = await started();
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from('one '));
        controller.enqueue(Buffer.from('two'));
        controller.close();
      },
    });
    const event = await eventOf(cloud, '/', {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body,
      duplex: 'half',
    } as RequestInit);
    expect(event.body).toBe('one two');
  });
});

test.each([
  ['a request line that is no HTTP', 'GET /\x01 nonsense\r\n\r\n', 400],
  [
    'values of headers and a request line of more than 10,240 bytes',
    `GET /${'x'.repeat(5_000)} HTTP/1.1\r\nHost: h\r\nX: ${'x'.repeat(5_300)}\r\nConnection: close\r\n\r\n`,
    431,
  ],
  ['headers of more than 16 KB', `GET / HTTP/1.1\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`, 431],
])('%s is refused and does no harm', async (_what, text, status) => {
  const cloud = await started();
  const { hostname, port } = new URL(cloud.url);
  const response = await new Promise<string>((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let heard = '';
    socket
      .on('data', (chunk) => (heard += String(chunk)))
      .on('close', () => {
        resolve(heard);
      });
  });
  expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  await eventOf(cloud, '/');
});
