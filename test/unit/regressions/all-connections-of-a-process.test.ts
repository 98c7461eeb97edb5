import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { Gateway } from '../../../infra/embedded/isolation/gateway.ts';
import { DeferredConnects, deferredPath } from '../../../shared/runtime/network/deferred-connect.ts';
import { CONNECTIONS } from '../../../shared/runtime/network/gateway-client.ts';
import { gatewayOptions } from '../../support/gateway-options.ts';

/**
 * A process with 512 connections lost the last one when the gateway was connected to all targets first, and crashed
 * when it wrote to it: the gateway counted requests, targets and connections together.
 */
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'connections-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sockets: Socket[] = [];
const opened = (socket: Socket): Socket => {
  sockets.push(socket.on('error', () => undefined));
  return socket;
};

/** The gateway of a process, and a server that sends back what it gets. */
async function openGateway() {
  const gateway = await Gateway.open(folder, gatewayOptions());
  const server = createServer((socket) => opened(socket).pipe(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    gateway.close();
    for (const socket of sockets.splice(0)) socket.destroy();
    server.close();
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Asks the gateway for connections to `port`, and returns its responses. */
async function request(ids: readonly number[], port: number): Promise<string[]> {
  const socket = opened(connect(join(folder, 'gateway')));
  const lines = ids.map((id) => `${JSON.stringify({ id, connect: { host: '127.0.0.1', port } })}\n`);
  socket.write(lines.join(''));
  const responses: string[] = [];
  for await (const line of createInterface(socket)) if (responses.push(line) === ids.length) break;
  return responses;
}

/** The process's half of a connection. */
const half = (id: number): Socket => {
  const socket = opened(connect(join(folder, CONNECTIONS)));
  socket.setEncoding('utf8').write(`${id}\nhello ${id}`);
  return socket;
};

test('a process has 512 connections also when all their targets are connected first', async () => {
  const port = await openGateway();
  const ids = Array.from({ length: 512 }, (_, id) => id);
  expect((await request(ids, port)).join('')).not.toContain('error');

  const echoes = ids.map(async (id) => {
    const socket = half(id);
    const [text]: unknown[] = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
    return text;
  });
  expect(await Promise.all(echoes)).toEqual(ids.map((id) => `hello ${id}`));
});

/** They stayed for 70 s and counted as open, so a process that tried often got errors that are none of its target. */
test('connections whose target refuses end at once, whichever half comes first', async () => {
  await openGateway();
  const early = half(1).resume();
  await once(early, 'connect');
  expect((await request([1, 2], 1)).join('')).toContain('ECONNREFUSED');
  const late = half(2).resume();

  await expect.poll(() => [early.closed, late.closed], { timeout: 60_000 }).toEqual([true, true]);
});

test('a connection that the gateway has closed fails, and throws nothing', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  // Nothing can be written to it.
  const fd = openSync(file, 'r');
  onTestFinished(() => closeSync(fd));
  const pipe = {
    connect(request: { oncomplete: (status: number) => void }) {
      request.oncomplete(0);
      return 0;
    },
  };
  const deferred = new DeferredConnects(pipe, '/connections');
  const statuses: number[] = [];
  const request = { oncomplete: (status: number) => void statuses.push(status) };
  Reflect.apply(pipe.connect, { fd }, [request, deferredPath('/connections', 1)]);
  deferred.finish(1);

  expect(statuses).toEqual([-constants.errno.EBADF]);
});
