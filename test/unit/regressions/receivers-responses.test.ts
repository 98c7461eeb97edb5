import { createServer, type Server, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createAgent, createAttempter } from '../../../shared/aws/deliver-http.ts';
import { ResponseHeads } from '../../../shared/aws/response-heads.ts';
import { attemptOnce, noTargets } from '../../support/attempt-once.ts';
import { until } from '../../support/until.ts';
import { closeServer } from '../../support/close-server.ts';

/** Receivers of raw bytes: what a server of HTTP would not send, or not like this. */

let server: Server;
let port: number;
let connections = 0;
let respond: (socket: Socket) => void = () => undefined;
const open = new Set<Socket>();

beforeEach(async () => {
  connections = 0;
  server = createServer((socket) => {
    connections += 1;
    open.add(socket);
    socket.on('close', () => open.delete(socket)).on('error', () => undefined);
    // Each request of these tests comes in one piece.
    socket.on('data', () => respond(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  port = address !== null && typeof address === 'object' ? address.port : 0;
});
afterEach(async () => {
  for (const socket of open) socket.destroy();
  await closeServer(server);
});

/** No attempt of these tests ends with its time, but for one. */
const LONG_MS = 60_000;

function sender() {
  const agent = createAgent({ allowPrivate: true, allowList: [] });
  onTestFinished(() => agent.destroy());
  const attempt = createAttempter(agent, () => performance.now(), noTargets);
  return (timeoutMs = LONG_MS) => attemptOnce(attempt, `http://127.0.0.1:${port}/`, { timeoutMs });
}

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const lines = (name: string, bytes: number) =>
  Array.from({ length: Math.ceil(bytes / 1_000) }, (_, n) => `${name}-${n}: ${'v'.repeat(980)}\r\n`).join('');

describe('a legal response of 200 is a success', () => {
  test.each([
    ['with 20 KB of headers', `HTTP/1.1 200 OK\r\n${lines('x', 20_000)}content-length: 2\r\n\r\nok`],
    ['with 200 KB of headers', `HTTP/1.1 200 OK\r\n${lines('x', 200_000)}content-length: 2\r\n\r\nok`],
    [
      'with one header of 200 KB',
      `HTTP/1.1 200 OK\r\nset-cookie: ${'v'.repeat(200_000)}\r\ncontent-length: 2\r\n\r\nok`,
    ],
    ['after 100 Continue', `HTTP/1.1 100 Continue\r\n\r\n${OK}`],
    ['after 103 Early Hints', `HTTP/1.1 103 Early Hints\r\nlink: </a.css>; rel=preload\r\n\r\n${OK}`],
    [
      'after 102 and 100 and 103',
      `HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 100 \r\n\r\nHTTP/1.1 103 x\r\na: b\r\n\r\n${OK}`,
    ],
    ['after eight interim responses', `${'HTTP/1.1 100 Continue\r\n\r\n'.repeat(8)}${OK}`],
    ['with the same Content-Length twice', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\nContent-Length: 2\r\n\r\nok'],
    [
      'with the same Content-Length twice, elsewhere',
      'HTTP/1.1 200 OK\r\nContent-Length:2\r\nx: y\r\ncontent-length: 2 \r\nz: 1\r\n\r\nok',
    ],
    ['with a list of one Content-Length', 'HTTP/1.1 200 OK\r\ncontent-length: 2, 2\r\n\r\nok'],
    ['without a reason phrase', 'HTTP/1.1 200\r\ncontent-length: 2\r\n\r\nok'],
    ['of HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nok'],
  ])('%s', async (_, bytes) => {
    respond = (socket) => socket.end(bytes);
    expect(await sender()()).toMatchObject({ outcome: 'delivered', status: 200, answer: 'ok' });
  });

  test('whose header section comes byte by byte, on a connection that is used again', async () => {
    const send = sender();
    respond = (socket) => {
      socket.setNoDelay(true);
      const bytes = `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 2\r\n\r\nok`;
      const next = (n: number) => {
        if (n < bytes.length) socket.write(bytes.charAt(n), () => setTimeout(next, 0, n + 1));
      };
      next(0);
    };
    for (let n = 0; n < 3; n += 1) {
      expect(await send()).toMatchObject({ outcome: 'delivered', status: 200, answer: 'ok' });
      // The connection is free again in the next turn of the event loop.
      await setImmediate();
    }
    expect(connections).toBe(1);
  });
});

describe('a response that HTTP does not allow is a failure', () => {
  test.each([
    ['with two different lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nokk'],
    ['with lengths that are no numbers', 'HTTP/1.1 200 OK\r\ncontent-length: x\r\ncontent-length: x\r\n\r\nok'],
    [
      'with lengths that are equal in value only',
      'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 02\r\n\r\nok',
    ],
    ['of another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['with bare line feeds', 'HTTP/1.1 200 OK\ncontent-length: 2\n\nok'],
    ['that ends in its header section', 'HTTP/1.1 200 OK\r\ncontent-le'],
    ['that is only interim', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
    ['that switches the protocol', 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'],
  ])('%s', async (_, bytes) => {
    respond = (socket) => socket.end(bytes);
    expect(await sender()()).toMatchObject({ outcome: 'unreachable' });
  });
});

/** Writes without end, as fast as the other side reads. */
function flood(socket: Socket, piece: string): void {
  const write = () => {
    while (!socket.destroyed && socket.write(piece));
    if (!socket.destroyed) socket.once('drain', write);
  };
  write();
}

describe('a response without end ends the attempt long before its time', () => {
  test.each([
    ['of interim responses', '', 'HTTP/1.1 103 Early Hints\r\n\r\n', 'interim responses'],
    ['of one long interim response', 'HTTP/1.1 103 Early Hints\r\n', 'x-y: z\r\n', 'header section'],
    ['of headers', 'HTTP/1.1 200 OK\r\n', `x: ${'y'.repeat(1_000)}\r\n`, 'header section'],
    ['of one header', 'HTTP/1.1 200 OK\r\nx: ', 'y'.repeat(1_000), 'header section'],
  ])('%s', async (_, start, piece, reason) => {
    respond = (socket) => {
      socket.write(start);
      flood(socket, piece);
    };
    expect(await sender()()).toMatchObject({
      outcome: 'unreachable',
      reason: expect.stringContaining(reason) as string,
    });
    await until('the connection is closed', () => open.size === 0);
  });

  test.each([
    ['of one chunk extension', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2;x=', 'y'.repeat(1_000)],
    [
      'of chunks of one byte with extensions',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n',
      `1;${'y'.repeat(1_000)}\r\nx\r\n`,
    ],
    ['of trailers', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n', `x: ${'y'.repeat(1_000)}\r\n`],
    ['of a body', 'HTTP/1.1 200 OK\r\n\r\n', 'y'.repeat(1_000)],
  ])('%s: its status counts', async (_, start, piece) => {
    respond = (socket) => {
      socket.write(start);
      flood(socket, piece);
    };
    const { outcome, status, ms } = await sender()();
    expect({ outcome, status }).toEqual({ outcome: 'delivered', status: 200 });
    expect(ms).toBeLessThan(LONG_MS / 2);
    await until('the connection is closed', () => open.size === 0);
  });

  test('a flood that drips ends with the time of the attempt', async () => {
    respond = (socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 200 OK\r\n'.charAt(0)), 20);
      socket.on('close', () => clearInterval(timer));
    };
    expect(await sender()(500)).toMatchObject({ outcome: 'timed_out' });
    await until('the connection is closed', () => open.size === 0);
  });
});

test('the header section of a response passes on as it is, in whatever pieces it comes', () => {
  const bytes = Buffer.from('HTTP/1.1 200 OK\r\nx: y\r\ncontent-length: 6\r\n\r\nbo\r\n\r\nHTTP/1.1 100 ');
  for (let at = 1; at < bytes.length; at += 1) {
    const heads = new ResponseHeads(1_024);
    const passed = [bytes.subarray(0, at), bytes.subarray(at)].map((piece) => heads.take(piece));
    expect(Buffer.concat(passed).toString()).toBe(bytes.toString());
  }
});
