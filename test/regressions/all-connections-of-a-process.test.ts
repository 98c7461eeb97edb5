import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Gateway } from '../../infra/embedded/isolation/gateway.ts';
import { DeferredConnects, deferredPath } from '../../shared/runtime/network/deferred-connect.ts';
import { CONNECTIONS } from '../../shared/runtime/network/gateway-client.ts';

/**
 * A process with 512 connections lost the last one when the gateway was connected to all targets first, and crashed when it wrote to it:
 * the gateway counted requests, targets and connections together.
 */
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'connections-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const portOf = (listening: Server): number => {
  const address = listening.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

describe('a process', () => {
  const sockets: Socket[] = [];
  const opened = (socket: Socket): Socket => {
    sockets.push(socket.on('error', () => undefined));
    return socket;
  };

  test(
    'has 512 connections also when all their targets are connected first',
    { timeout: 30_000 },
    async () => {
      const gateway = await Gateway.open(folder, () => () => false);
      const server = createServer((socket) => opened(socket).pipe(socket));
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      onTestFinished(() => {
        gateway.close();
        for (const socket of sockets) socket.destroy();
        server.close();
      });
      const ids = Array.from({ length: 512 }, (_, id) => id);
      const requests = opened(connect(join(folder, 'gateway')));
      const target = { host: '127.0.0.1', port: portOf(server) };
      requests.write(ids.map((id) => `${JSON.stringify({ id, connect: target })}\n`).join(''));
      let answers = 0;
      for await (const line of createInterface(requests)) {
        expect(line).not.toContain('error');
        if ((answers += 1) === ids.length) break;
      }

      const echoes = ids.map(async (id) => {
        const socket = opened(connect(join(folder, CONNECTIONS)));
        socket.setEncoding('utf8').write(`${id}\nhello ${id}`);
        const [text]: unknown[] = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
        return text;
      });
      expect(await Promise.all(echoes)).toEqual(ids.map((id) => `hello ${id}`));
    },
  );
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
