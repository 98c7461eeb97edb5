import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as passed } from 'node:timers/promises';
import type { NeighbourAttack } from './attack.ts';

const WEBHOOKS = 12;
const RUNS = 20;
const CONNECTIONS = 512;

/** Answers that never end: a beginning, and what follows for ever. */
const ENDLESS: readonly [string, string][] = [
  ['', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(500)],
  ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;', 'x'.repeat(20_000)],
  ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n', 'a: b\r\n'.repeat(3_000)],
];

interface Listening {
  port: number;
  stop: () => void;
}

async function listen(onConnection: (socket: Socket) => void): Promise<Listening> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    stop: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Other ends of connections that misbehave. */
export const receivers: readonly NeighbourAttack[] = [
  {
    name: 'receivers whose responses never end',
    async attack(attacker, signal) {
      let connections = 0;
      const receiver = await listen((socket) => {
        const [beginning = '', more = ''] = ENDLESS[connections % ENDLESS.length] ?? [];
        connections += 1;
        const go = (): void => {
          while (socket.writable && socket.write(more));
        };
        socket.once('data', () => {
          socket.write(beginning);
          socket.on('drain', go);
          go();
        });
      });
      const emitter = await attacker.source('for (let n = 0; n < 5; n += 1) this.$emit({ n });');
      for (let n = 0; n < WEBHOOKS; n += 1)
        await attacker.subscribe(
          emitter,
          await attacker.create('/webhooks', { url: `http://127.0.0.1:${receiver.port}/${n}` }),
        );
      while (!signal.aborted) {
        await attacker.run(emitter);
        await passed(1_000);
      }
      receiver.stop();
      return connections;
    },
  },
  {
    name: `${RUNS} runs with ${CONNECTIONS} connections each`,
    async attack(attacker, signal) {
      let connections = 0;
      const receiver = await listen((socket) => {
        connections += 1;
        socket.resume();
      });
      const ids = await attacker.sources(
        RUNS,
        `for (let n = 0; n < ${CONNECTIONS}; n += 1) net.connect(${receiver.port}, '127.0.0.1').on('error', () => 0); await new Promise((ok) => setTimeout(ok, 10_000));`,
        { imports: `import net from 'node:net';` },
      );
      await Promise.all(ids.map((id) => attacker.run(id)));
      while (!signal.aborted) await passed(200);
      receiver.stop();
      return connections;
    },
  },
];
