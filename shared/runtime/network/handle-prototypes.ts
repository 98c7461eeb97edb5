import dgram from 'node:dgram';
import dns from 'node:dns';
import net from 'node:net';
import { isDict } from '../guards.ts';

/** Prototypes of Node's own handles for sockets and name resolution. */
export interface Handles {
  tcp: object;
  pipe: object;
  udp: object;
  channel: object;
}

/** Found once in a process, before user code runs. */
let found: Handles | undefined;

/**
 * Finds the prototypes through the public classes. Throws when Node keeps a handle elsewhere, so that no child runs
 * unguarded.
 */
export function handlePrototypes(): Handles {
  return (found ??= {
    tcp: prototypeOf('a TCP socket', connecting({ host: '127.0.0.1', port: 9 })),
    pipe: prototypeOf('a Unix socket', connecting({ path: '/proc/none' })),
    udp: prototypeOf('a UDP socket', udpHandle()),
    channel: prototypeOf('a resolver', Reflect.get(new dns.Resolver(), '_handle')),
  });
}

function prototypeOf(what: string, handle: unknown): object {
  const prototype: unknown = isDict(handle) ? Object.getPrototypeOf(handle) : undefined;
  if (!isDict(prototype)) throw new Error(`Node keeps the handle of ${what} elsewhere.`);
  return prototype;
}

/** The handle is made at once, and the socket is destroyed before it connects. */
function connecting(options: net.SocketConnectOpts): unknown {
  const socket = new net.Socket();
  socket.on('error', () => undefined).connect(options);
  const handle: unknown = Reflect.get(socket, '_handle');
  socket.destroy();
  return handle;
}

function udpHandle(): unknown {
  const socket = dgram.createSocket('udp4');
  const handle = Object.getOwnPropertySymbols(socket)
    .map((symbol): unknown => Reflect.get(socket, symbol))
    .map((value) => (isDict(value) ? value['handle'] : undefined))
    .find(isDict);
  socket.close();
  return handle;
}
