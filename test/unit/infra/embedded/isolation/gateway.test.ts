import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Gateway } from '../../../../../infra/embedded/isolation/gateway.ts';
import { CONNECTIONS } from '../../../../../shared/runtime/network/gateway-client.ts';
import { gatewayOptions } from '../../../../support/gateway-options.ts';

let folder: string;
let gateway: Gateway;
let server: Server;
const accepted: Socket[] = [];
const sockets: Socket[] = [];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-'));
  gateway = await Gateway.open(folder, gatewayOptions());
  server = createServer((socket) => accepted.push(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  gateway.close();
  for (const socket of [...accepted.splice(0), ...sockets.splice(0)]) socket.destroy();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const portOf = (listening: Server): number => {
  const address = listening.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

/** Sends requests for connections, and returns the gateway's answers. */
async function request(ids: readonly number[]): Promise<string[]> {
  const socket = connect(join(folder, 'gateway'));
  const lines = ids.map((id) => JSON.stringify({ id, connect: { host: '127.0.0.1', port: portOf(server) } }));
  socket.write(`${lines.join('\n')}\n`);
  const responses: string[] = [];
  for await (const line of createInterface(socket)) {
    responses.push(line);
    if (responses.length === ids.length) break;
  }
  return responses;
}

test('a connection whose target has ended meanwhile ends, too', async () => {
  server.on('connection', (socket) => socket.destroy());
  await request([1]);
  await expect.poll(() => accepted.every(({ closed }) => closed)).toBe(true);
  const socket = connect(join(folder, CONNECTIONS));
  socket.on('error', () => undefined).resume();
  socket.write('1\n');

  await once(socket, 'close');
});

test('a process gets 512 connections, however many it asks for at a time', async () => {
  const responses = await request(Array.from({ length: 700 }, (_, id) => id));

  expect(responses.filter((line) => line.includes('ERR_ACCESS_DENIED'))).toHaveLength(188);
  await expect.poll(() => accepted.length).toBe(512);
});

test('a process that opens connections without requests keeps 1,024 of them', async () => {
  let closed = 0;
  for (let opened = 0; opened < 1100; opened += 1) {
    const socket = connect(join(folder, CONNECTIONS));
    sockets.push(socket.on('error', () => undefined).on('close', () => (closed += 1)));
    // The system keeps only 512 connections that nobody accepted yet.
    await once(socket.resume(), 'connect');
  }

  await expect.poll(() => closed).toBe(1100 - 1024);
});
