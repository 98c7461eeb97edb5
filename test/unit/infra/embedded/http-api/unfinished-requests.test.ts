import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ByteBudget } from '../../../../../infra/embedded/http-api/byte-budget.ts';
import { BodyReader } from '../../../../../infra/embedded/http-api/body-reader.ts';
import { clientAddressBehind } from '../../../../../infra/embedded/http-api/client-address.ts';
import {
  Gateway,
  type GatewayOptions,
  gatewayOptions,
} from '../../../../../infra/embedded/http-api/gateway.ts';
import { HttpApi } from '../../../../../infra/embedded/http-api/http-api.ts';
import { systemClock } from '../../../../../infra/embedded/clock.ts';
import { noFaults } from '../../../../../infra/embedded/faults.ts';
import { until } from '../../../../support/until.ts';

/*
 * Requests that never end, answers that are never read, connections without a request: a gateway in this process, whose function echoes
 * the length of the body, and answers the path /never never.
 */

const MIB = 1024 * 1024;
const open = new Set<Socket>();
const gateways: Gateway[] = [];
let invocations = 0;

async function listening(
  overrides: Partial<GatewayOptions> = {},
  { responseBytes = 0, timeoutMs = 30_000 } = {},
): Promise<number> {
  const gateway = new Gateway('api', { ...gatewayOptions(), ...overrides });
  gateways.push(gateway);
  const port = await gateway.listen('127.0.0.1', 0);
  const route = { key: '$default', functionName: 'f', timeoutMs, isUrl: false, sourceArn: 'arn' };
  const spec = {
    ...{ id: 'api', name: 'api' as const, cors: undefined, throttle: undefined, bodyLimit: MIB },
    routes: [route],
  };
  const integrations = {
    mayInvoke: () => true,
    invoke(_: string, { event }: { event: unknown }) {
      invocations += 1;
      const { rawPath, body, headers } = event as {
        rawPath: string;
        body?: string;
        headers: Record<string, string>;
      };
      if (rawPath === '/never') return new Promise<never>(() => undefined);
      const length = Number(headers['content-length'] ?? 0);
      const statusCode = body === undefined && length > MIB ? 413 : 200;
      const value = {
        statusCode,
        body: responseBytes > 0 ? 'x'.repeat(responseBytes) : String(body?.length),
      };
      return Promise.resolve({ ok: true, value } as const);
    },
  };
  const room = { isForNewData: true };
  const options = { integrations, room, clock: systemClock, faults: noFaults, domainName: 'here' };
  gateway.serve([new HttpApi(spec, options as never)][0], () => Promise.resolve(undefined));
  return port;
}

interface Sender {
  readonly socket: Socket;
  heard(): string;
  isClosed(): boolean;
}

function sender(port: number, text: string): Sender {
  const socket = connect(port, '127.0.0.1');
  socket.write(text);
  open.add(socket);
  let heard = '';
  let isClosed = false;
  socket.on('data', (chunk) => (heard += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  socket.on('close', () => (isClosed = true));
  return { socket, heard: () => heard, isClosed: () => isClosed };
}

const post = (headers: string) => `POST /x HTTP/1.1\r\nHost: h\r\n${headers}\r\n\r\n`;
const status = (text: string) => /^HTTP\/1\.1 (\d+)/.exec(text)?.[1];
const responses = async (port: number) => (await fetch(`http://127.0.0.1:${port}/`)).status;

let port: number;
beforeAll(async () => {
  port = await listening();
});
afterAll(async () => {
  for (const socket of open) socket.destroy();
  await Promise.all(gateways.map((gateway) => gateway.stop(0)));
});

describe('a body above the limit of its route', () => {
  test('is answered before any of it is sent, and the function answers without it', async () => {
    const one = sender(port, post(`Content-Length: ${5 * MIB}`));
    await until('the response', () => status(one.heard()) === '413');
  });

  test('without a length ends where the limit is', async () => {
    const one = sender(port, post('Transfer-Encoding: chunked'));
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    for (let n = 0; n < 17; n += 1) one.socket.write(chunk);
    await until('the response', () => status(one.heard()) === '413');
  });

  test('with Expect is refused without 100 Continue; one within the limit gets it', async () => {
    const large = sender(port, post(`Content-Length: ${5 * MIB}\r\nExpect: 100-continue`));
    const small = sender(port, post('Content-Length: 3\r\nExpect: 100-continue'));
    await until('both', () => status(large.heard()) === '413' && status(small.heard()) === '100');
    small.socket.write('abc');
    await until('the response', () => small.heard().includes('HTTP/1.1 200'));
    expect(large.heard()).not.toContain('100 Continue');
  });
});

describe('unfinished bodies', () => {
  test('take no more than their budget; one address has half of it, the rest is 503 with Retry-After', async () => {
    const budget = new ByteBudget(8 * MIB);
    const trusting = clientAddressBehind(['127.0.0.1']);
    const own = await listening({ clientAddress: trusting, bodies: new BodyReader({ budget }) });
    const half = 'x'.repeat(MIB / 2);
    const many = Array.from({ length: 20 }, () => sender(own, post(`Content-Length: ${MIB}`) + half));
    await until('refusals', () => many.filter((each) => status(each.heard()) === '503').length >= 12);
    expect(many.find((each) => each.heard() !== '')?.heard()).toMatch(/Retry-After: 1\r\n/);
    expect(budget.held).toBeLessThanOrEqual(4 * MIB);
    // Another client behind the same proxy has room.
    const other = sender(
      own,
      post(`X-Forwarded-For: 192.0.2.7\r\nContent-Length: 200000`) + 'y'.repeat(200_000),
    );
    await until('the other', () => status(other.heard()) === '200');
    for (const { socket } of many) socket.destroy();
    await until('all bytes to be free', () => budget.held === 0);
  });

  test('in many small chunks take the memory of their bytes', async () => {
    const budget = new ByteBudget(8 * MIB);
    const own = await listening({ bodies: new BodyReader({ budget }) });
    const bytes = 200_000;
    const one = sender(
      own,
      post('Content-Type: text/plain\r\nTransfer-Encoding: chunked') + '1\r\nx\r\n'.repeat(bytes),
    );
    await until('the bytes', () => budget.held >= bytes);
    expect(budget.held).toBeLessThanOrEqual(2 * bytes + 0x10000);
    one.socket.write('0\r\n\r\n');
    await until('the response', () => one.heard().endsWith(String(bytes)));
    expect(budget.held).toBe(0);
  });

  test('that drip end with 408, at the latest after 30 looks', async () => {
    const bodies = new BodyReader({ budget: new ByteBudget(MIB), intervalMs: 20 });
    const own = await listening({ bodies });
    const silent = sender(own, post('Content-Length: 10') + 'x');
    const steady = sender(own, post('Content-Length: 900000'));
    const drip = setInterval(() => steady.socket.write('x'.repeat(2_000)), 10);
    try {
      await until('408', () => status(silent.heard()) === '408' && silent.isClosed());
      expect(status(steady.heard())).toBeUndefined();
      await until('the end of the steady one', () => status(steady.heard()) === '408');
    } finally {
      clearInterval(drip);
    }
  });
});

describe('connections', () => {
  test('beyond the most replace idle ones of the address that has the most', async () => {
    const own = await listening({ maxConnections: 50 });
    const idle = Array.from({ length: 200 }, () => sender(own, 'POST / HTTP/1.1\r\nX: '));
    await until('the idle ones to be closed', () => idle.filter((each) => each.isClosed()).length >= 150);
    for (let n = 0; n < 20; n += 1) expect(await responses(own)).toBe(200);
    expect(idle.filter((each) => !each.isClosed()).length).toBeLessThanOrEqual(50);
  });

  test('with more than 100 unanswered requests are closed', async () => {
    const own = await listening();
    const before = invocations;
    const one = sender(own, 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n'.repeat(1_000));
    await until('the end', () => one.isClosed());
    expect(invocations - before).toBeLessThanOrEqual(100);
    expect(await responses(own)).toBe(200);
  });

  test('that do not read large answers are closed when these exceed the budget', async () => {
    const unsent = new ByteBudget(64 * MIB);
    const own = await listening({ unsent }, { responseBytes: 5 * MIB });
    const readers = Array.from({ length: 20 }, () => {
      const one = sender(own, 'GET / HTTP/1.1\r\nHost: h\r\n\r\n'.repeat(4));
      one.socket.pause();
      return one;
    });
    await until('unread responses', () => unsent.held > 20 * MIB);
    expect(unsent.held).toBeLessThanOrEqual(32 * MIB);
    for (const { socket } of readers) socket.destroy();
    await until('all to be free', () => unsent.held === 0);
    expect(await responses(own)).toBe(200);
  });
});

test.each([
  ['a chunk extension without an end', `5;${'a'.repeat(40_000)}`, '413'],
  ['trailers without an end', `1\r\nx\r\n0\r\n${'A: b\r\n'.repeat(20_000)}`, '431'],
])('%s ends the request', async (_, text, expected) => {
  const one = sender(port, post('Transfer-Encoding: chunked') + text);
  await until('the end', () => one.isClosed());
  expect(status(one.heard())).toBe(expected);
});

test('a request whose function exceeds the time limit of the integration is a 503, and the next is answered', async () => {
  const own = await listening({}, { timeoutMs: 60 });
  const response = await fetch(`http://127.0.0.1:${own}/never`);
  expect([response.status, await response.json()]).toEqual([503, { message: 'Service Unavailable' }]);
  expect(await responses(own)).toBe(200);
});
