import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Connections } from '../../../../../infra/embedded/http-api/clients/connections.ts';
import { refuseUnreadable } from '../../../../../infra/embedded/http-api/parser-refusals.ts';
import { RefusalLog } from '../../../../../infra/embedded/http-api/responses/refusal-log.ts';
import { until } from '../../../../support/until.ts';
import { openEcho, post, sender, status, statuses } from './echo-gateway.ts';

const get = (headers = 'Host: h', path = '/') => `GET ${path} HTTP/1.1\r\n${headers}\r\n\r\n`;
const bodyOf = (heard: string): unknown => JSON.parse(heard.slice(heard.lastIndexOf('\r\n\r\n') + 4));

describe('a request that no function sees', () => {
  test.each([
    ['two Host headers', get('Host: a\r\nhOST: b'), 400, 'malformed_request'],
    ['the same Host twice', get('Host: a\r\nHost: a'), 400, 'malformed_request'],
    ['no Host', get('Accept: */*'), 400, 'malformed_request'],
    ['bare UTF-8 in the address', get('Host: h', '/straße?q=ä'), 400, 'malformed_request'],
    ['a space in the address', get('Host: h', '/a b'), 400, 'malformed_request'],
    ['no HTTP', 'GET /\x01 nonsense\r\n\r\n', 400, 'malformed_request'],
    ['headers of more than 16 KB', get(`Host: h\r\nX: ${'x'.repeat(17_000)}`), 431, 'headers_too_large'],
    ['an address of more than 16 KB', get('Host: h', `/${'x'.repeat(17_000)}`), 431, 'headers_too_large'],
    [
      'trailers without an end',
      `${post('Transfer-Encoding: chunked')}1\r\nx\r\n0\r\n${'A: b\r\n'.repeat(20_000)}`,
      431,
      'headers_too_large',
    ],
    [
      'a chunk extension without an end',
      `${post('Transfer-Encoding: chunked')}5;${'a'.repeat(40_000)}`,
      413,
      'too_large',
    ],
    ['Transfer-Encoding: gzip', post('Transfer-Encoding: gzip'), 501, 'not_implemented'],
    [
      'Transfer-Encoding: gzip, chunked',
      `${post('Transfer-Encoding: gzip, chunked')}0\r\n\r\n`,
      501,
      'not_implemented',
    ],
  ])('%s: JSON with a sentence, and the connection is closed', async (_, text, expected, code) => {
    const { port } = await openEcho();
    const one = sender(port, Buffer.from(text));
    await until('the end', () => one.isClosed());
    expect(statuses(one.heard())).toEqual([expected]);
    expect(one.heard()).toMatch(/\r\nContent-Type: application\/json\r\n/i);
    expect(bodyOf(one.heard())).toEqual({
      error: expect.stringMatching(/^[A-Z].*\.$/) as unknown,
      code,
      request_id: expect.stringMatching(/./) as unknown,
    });
  });

  test('headers that do not end: 408, when Node says so', async () => {
    const connections = new Connections(10);
    const log = new RefusalLog(() => undefined);
    const server = createServer((socket) => {
      connections.add(socket);
      refuseUnreadable(Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket, {
        connections,
        log,
      });
    });
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const one = sender((server.address() as AddressInfo).port, 'GET / HTTP/1.1\r\nHost: h\r\nX-');
    await until('the end', () => one.isClosed());
    expect([status(one.heard()), bodyOf(one.heard())]).toMatchObject(['408', { code: 'request_timeout' }]);
  });

  test('HTTP/1.0 needs no Host', async () => {
    const { port } = await openEcho();
    const one = sender(port, 'GET / HTTP/1.0\r\n\r\n');
    await until('the response', () => status(one.heard()) === '200');
  });
});

describe('while a response of the connection is under way', () => {
  test.each(['GARBAGE\r\n\r\n', get('Host: h', '/ä'), get('Host: a\r\nHost: b')])(
    'nothing else is written: %j is answered after it',
    async (garbage) => {
      let resolveWith: ((value: object) => void) | undefined;
      const { port } = await openEcho({ handle: () => new Promise((resolve) => (resolveWith = resolve)) });
      const one = sender(port, get('Host: h'));
      const respond = await until('the request', () => resolveWith);
      one.socket.write(garbage);
      // The gateway has read it once another connection, which begins later, has been answered.
      const later = sender(port, 'GARBAGE\r\n\r\n');
      await until('a later one', () => later.isClosed());
      expect(one.heard()).toBe('');
      respond({ statusCode: 200, body: 'the body' });
      await until('the end', () => one.isClosed());
      expect(statuses(one.heard())).toEqual([200, 400]);
      expect(one.heard()).toMatch(/the bodyHTTP\/1\.1 400 /);
    },
  );

  test('a connection that its client closes meanwhile leaves nothing behind', async () => {
    let resolveWith: ((value: object) => void) | undefined;
    const { gateway, port } = await openEcho({
      handle: () => new Promise((resolve) => (resolveWith = resolve)),
    });
    const one = sender(port, `${get('Host: h')}GARBAGE\r\n\r\n`);
    const respond = await until('the request', () => resolveWith);
    one.socket.destroy();
    await until('the end', () => one.isClosed());
    respond({ statusCode: 200 });
    await gateway.stop(60_000);
  });
});

test('the log has a line for it, at most once a minute for each client', async () => {
  const lines: string[] = [];
  let now = Date.UTC(2031, 0, 1);
  const refusals = new RefusalLog(
    (line) => lines.push(line),
    () => now,
  );
  const { port } = await openEcho({ refusals, host: '0.0.0.0' });
  const refuse = async (from: string, text: string) => {
    const one = sender(port, text, from);
    await until('the end', () => one.isClosed());
  };
  await refuse('127.0.0.2', get('Host: h', '/ä?token=geheim'));
  await refuse('127.0.0.2', get('Host: a\r\nHost: b'));
  await refuse('127.0.0.3', get('Host: a\r\nHost: b'));
  now += 60_000;
  await refuse('127.0.0.2', get(`Host: h\r\nX: ${'x'.repeat(17_000)}`));
  const level = 'warn';
  const message = 'request.refused';
  const at = '2031-01-01T00:00:00.000Z';
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    { level, message, at, client: '127.0.0.2', status: 400, code: 'malformed_request' },
    { level, message, at, client: '127.0.0.3', status: 400, code: 'malformed_request' },
    {
      ...{ level, message, at: '2031-01-01T00:01:00.000Z' },
      ...{ client: '127.0.0.2', status: 431, code: 'headers_too_large' },
    },
  ]);
});
