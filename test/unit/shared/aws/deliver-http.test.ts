import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { decodedStart } from '../../../../shared/aws/decoded-start.ts';
import { createAgent, createAttempter } from '../../../../shared/aws/deliver-http.ts';
import { LONGEST_CONNECTION_MS, SOCKETS_PER_ORIGIN } from '../../../../shared/aws/delivery-agent.ts';
import type { HttpAttempt } from '../../../../shared/aws/http-attempt.ts';
import type { Resolve } from '../../../../shared/aws/network.ts';
import { attemptOnce, noTargets } from '../../../support/attempt-once.ts';
import { gate } from '../../../support/gate.ts';
import { until } from '../../../support/until.ts';
import { closeServer } from '../../../support/close-server.ts';

const servers: Server[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const server of servers.splice(0)) await closeServer(server);
});

/** The port of a receiver. */
async function receiver(response: RequestListener): Promise<number> {
  const server = createServer(response);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

function sender(resolve?: Resolve) {
  const agent = createAgent({ allowPrivate: false, allowList: ['127.0.0.1/32'] }, resolve ? { resolve } : undefined);
  onTestFinished(() => agent.destroy());
  const attempt = createAttempter(agent, () => performance.now(), noTargets);
  return (url: string, more?: Partial<HttpAttempt>) => attemptOnce(attempt, url, more);
}

test.each([301, 302, 303, 307, 308])(
  'a response with %i is a failure, and its address is kept and not requested',
  async (status) => {
    let requests = 0;
    const other = await receiver((_, response) => {
      requests += 1;
      response.end();
    });
    const port = await receiver((_, response) =>
      response.writeHead(status, { location: `http://127.0.0.1:${other}/` }).end(),
    );

    const { headers, ...outcome } = await sender()(`http://127.0.0.1:${port}/`);
    expect(outcome).toMatchObject({ outcome: 'rejected', status });
    expect(headers?.[0]).toEqual(['location', `http://127.0.0.1:${other}/`]);
    expect(requests).toBe(0);
  },
);

test('headers of a response are kept with its body only, without what was sent in custom headers', async () => {
  const port = await receiver(({ headers }, response) =>
    response.writeHead(500, { 'x-echo': headers['x-key'] ?? '', 'x-shop': 'corner' }).end('no'),
  );
  const begin = () => ['x-key', 'a key of the owner'];
  const send = sender();
  const { headers = [] } = await send(`http://127.0.0.1:${port}/`, { begin });
  expect(headers.slice(0, 2)).toEqual([
    ['x-echo', '••••'],
    ['x-shop', 'corner'],
  ]);
  const accepting = await receiver((_, response) => response.end('ok'));
  const success = await send(`http://127.0.0.1:${accepting}/`, { keepsResponse: false });
  expect(success).toMatchObject({ outcome: 'delivered', status: 200 });
  expect(success).not.toHaveProperty('headers');
});

test('a response without end is read to 64 KB and no further, and its connection is closed', async () => {
  let written = 0;
  let isClosed = false;
  const port = await receiver((_, response) => {
    response.on('close', () => (isClosed = true));
    const write = () => {
      while (!isClosed && response.write('x'.repeat(16_384))) written += 16_384;
      if (!isClosed) response.once('drain', write);
    };
    write();
  });

  const { outcome, answer } = await sender()(`http://127.0.0.1:${port}/`);
  expect([outcome, answer]).toEqual(['delivered', 'x'.repeat(1_024)]);
  await until('the connection is closed', () => isClosed);
  // Buffers of the operating system take some more than was read.
  expect(written).toBeLessThan(16 * 1_024 * 1_024);
});

describe('a response that is compressed', () => {
  const text = `{"error":"${'why not? '.repeat(400)}"}`;

  test.each([
    ['gzip', gzipSync(text)],
    ['GZIP', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['br', brotliCompressSync(text)],
  ])('as %s is shown decoded', async (encoding, body) => {
    const port = await receiver((_, response) => response.writeHead(500, { 'content-encoding': encoding }).end(body));
    expect(await sender()(`http://127.0.0.1:${port}/`)).toMatchObject({
      outcome: 'rejected',
      answer: text.slice(0, 1_024),
    });
  });

  test.each([
    ['zstd', Buffer.from('raw')],
    ['gzip', Buffer.from('raw')],
  ])('as %s and cannot be decoded is shown as it was sent', async (encoding, body) => {
    expect((await decodedStart(body, encoding, 1_024)).toString()).toBe('raw');
  });

  test('into a bomb is decoded to the first KB only', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 1_024 * 1_024));
    // Its checksum is wrong: a body that is decoded as a whole counts as one that cannot be decoded.
    bomb.subarray(-8).fill(0);
    const push = vi.spyOn(Readable.prototype, 'push');
    expect(await decodedStart(bomb, 'gzip', 1_024)).toEqual(Buffer.alloc(1_024));
    const pieces = push.mock.calls.map(([piece]) => (Buffer.isBuffer(piece) ? piece.length : 0));
    const decoded = pieces.reduce((sum, length) => sum + length, 0);
    expect(decoded).toBeGreaterThanOrEqual(1_024);
    // The decoder works ahead by the size of its buffers.
    expect(decoded).toBeLessThan(1_024 * 1_024);
  });
});

test.each([
  ['for a minute at most', 2_000],
  ['until the clock is set back', -3_600_000],
])('a connection is used %s; then the name is resolved and judged again', async (_, laterMs) => {
  const port = await receiver((_, response) => response.end());
  let address = '127.0.0.1';
  const lookups: string[] = [];
  const send = sender((_hostname, _options, done) => {
    lookups.push(address);
    done(null, [{ address, family: 4 }]);
  });
  const url = `http://receiver.test:${port}/`;
  vi.useFakeTimers({ toFake: ['Date'] });

  expect(await send(url)).toMatchObject({ outcome: 'delivered' });
  // The connection is free again in the next turn of the event loop.
  await setImmediate();
  address = '10.0.0.1';
  vi.setSystemTime(Date.now() + 59_000);
  expect(await send(url)).toMatchObject({ outcome: 'delivered' });
  expect(lookups).toEqual(['127.0.0.1']);

  await setImmediate();
  vi.setSystemTime(Date.now() + laterMs);
  expect(await send(url)).toMatchObject({
    outcome: 'blocked',
    reason: expect.stringContaining('receiver.test (10.0.0.1) is a private address') as string,
  });
});

test('when connections are renewed, old ones end with their requests, and attempts that wait are made', async () => {
  const responses: (() => void)[] = [];
  const closed = vi.fn();
  const port = await receiver((_, response) => responses.push(() => response.end()));
  servers.at(-1)?.on('connection', (socket) => socket.on('close', closed));
  const send = sender();
  const url = `http://127.0.0.1:${port}/`;
  vi.useFakeTimers({ toFake: ['Date'] });
  const early = Array.from({ length: SOCKETS_PER_ORIGIN + 1 }, () => send(url));
  await until('all connections are in use', () => responses.length === SOCKETS_PER_ORIGIN);
  vi.setSystemTime(Date.now() + LONGEST_CONNECTION_MS + 1);
  responses.splice(0, 1).map((response) => {
    response();
  });
  await until('the last attempt has a new connection', () => responses.length === SOCKETS_PER_ORIGIN);
  expect(closed.mock.calls.length).toBeLessThan(2);
  for (const respond of responses.splice(0)) respond();
  expect(new Set((await Promise.all(early)).map(({ outcome }) => outcome))).toEqual(new Set(['delivered']));
  await until('the old connections are closed', () => closed.mock.calls.length >= SOCKETS_PER_ORIGIN);
});

test('1,000 attempts to a receiver that hangs leave room for those to another one', async () => {
  const hanging = await receiver(() => undefined);
  const working = await receiver((_, response) => response.end());
  const send = sender();
  const held = Array.from({ length: 1_000 }, () => send(`http://127.0.0.1:${hanging}/`));
  const ended = vi.fn();
  void Promise.race(held).then(ended);
  expect(await send(`http://127.0.0.1:${working}/`)).toMatchObject({ outcome: 'delivered' });
  expect(ended).not.toHaveBeenCalled();
});

test('attempts that wait for a connection are all made', async () => {
  const port = await receiver((_, response) => response.end());
  const send = sender();
  const attempts = Array.from({ length: 3 * SOCKETS_PER_ORIGIN }, () => send(`http://127.0.0.1:${port}/`));
  expect(new Set((await Promise.all(attempts)).map(({ outcome }) => outcome))).toEqual(new Set(['delivered']));
});

test('a response that does not end in time counts by its status, and its connection is closed', async () => {
  let isClosed = false;
  const port = await receiver((_, response) => {
    response.on('close', () => (isClosed = true)).write('so far');
  });
  const agent = createAgent({ allowPrivate: true, allowList: [] });
  onTestFinished(() => agent.destroy());
  const { opened: isRead, open } = gate();
  const connections: Parameters<typeof createAttempter>[0] = {
    resolve: (...request) => {
      agent.resolve(...request);
    },
    dispatch(request, handler) {
      const read = handler.onResponseData?.bind(handler);
      handler.onResponseData = (...data) => {
        read?.(...data);
        open();
      };
      return agent.dispatch(request, handler);
    },
  };
  const attempt = createAttempter(connections, () => performance.now(), noTargets);
  const end = vi.fn<HttpAttempt['end']>();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  void attemptOnce(attempt, `http://127.0.0.1:${port}/`, { timeoutMs: 300, end });
  await isRead;
  expect(end).not.toHaveBeenCalled();
  vi.advanceTimersByTime(300);
  vi.useRealTimers();
  await until('the outcome', () => end.mock.calls.length > 0);
  expect(end.mock.calls).toEqual([[expect.objectContaining({ outcome: 'delivered', answer: 'so far' })]]);
  // Sooner than by the limit of the body.
  await until('the connection is closed', () => isClosed, { withinMs: 30_000 });
  // The end of the connection is no second outcome.
  expect(end).toHaveBeenCalledOnce();
});

test('an attempt that may not begin sends no request, and others go on', async () => {
  const requests = vi.fn();
  const port = await receiver((_, response) => {
    requests();
    response.end();
  });
  const url = `http://127.0.0.1:${port}/`;
  const send = sender();
  const [end, fail] = [vi.fn(), vi.fn()];
  const count = 20_000;
  for (let index = 0; index < count; index += 1)
    void send(url, {
      begin: () => {
        if (index === count - 1) throw new Error('no headers');
        return undefined;
      },
      end,
      fail,
    });
  expect(await send(url)).toMatchObject({ outcome: 'delivered' });
  expect([requests.mock.calls.length, end.mock.calls]).toEqual([1, []]);
  expect(fail.mock.calls).toEqual([[new Error('no headers')]]);
});

test('a URL that is not valid is unreachable', async () => {
  expect(await sender()('http://')).toMatchObject({ outcome: 'unreachable', reason: 'The URL is not valid' });
});
