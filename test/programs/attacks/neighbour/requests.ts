import { connect, type Socket } from 'node:net';
import { setTimeout as passed } from 'node:timers/promises';
import type { NeighbourAttack } from './attack.ts';
import type { AttackedService } from './attacker.ts';

const HALF_SENT = 150;
const BODY = Buffer.alloc(9_900_000, ' ');
const DRIPPING = 3_000;

/** Connections to both ports alternately, each made again once the service has closed it. No key is sent. */
async function hold(
  { base, ingress }: AttackedService,
  { count, signal, begin }: { count: number; signal: AbortSignal; begin: (socket: Socket) => void },
): Promise<{ made: number; sockets: ReadonlySet<Socket> }> {
  const ports = [new URL(base).port, new URL(ingress).port].map(Number);
  const sockets = new Set<Socket>();
  const held = { made: 0, sockets };
  while (!signal.aborted) {
    for (; sockets.size < count; held.made += 1) {
      const socket = connect({ port: ports[held.made % ports.length] ?? 0, host: '127.0.0.1' });
      sockets.add(socket);
      socket.on('connect', () => {
        begin(socket);
      });
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
      socket.resume();
    }
    await passed(1_000);
    // Drips on.
    if (begin === drip) for (const socket of sockets) socket.write('x');
  }
  for (const socket of sockets) socket.destroy();
  return held;
}

/** A request whose body never ends. */
function halfSend(socket: Socket): void {
  socket.write(
    'POST /v1/sources HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 10000000\r\n\r\n',
  );
  socket.write(BODY);
}

/** A request whose head never ends. */
function drip(socket: Socket): void {
  socket.write('GET /v1/users/me HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
}

/** Requests that do not end, at both ports. */
export const requests: readonly NeighbourAttack[] = [
  {
    name: `${HALF_SENT} half-sent bodies of 10 MB`,
    attack: async ({ service }, signal) => (await hold(service, { count: HALF_SENT, signal, begin: halfSend })).made,
  },
  {
    name: `${DRIPPING} dripping connections`,
    attack: async ({ service }, signal) => (await hold(service, { count: DRIPPING, signal, begin: drip })).made,
  },
];
