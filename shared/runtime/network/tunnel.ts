import net, { isIP, Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { type AnyFunction, type Dict, isDict, isFunction } from '../guards.ts';
import { connectTarget } from './connect-options.ts';
import { DeferredConnects, deferredPath } from './deferred-connect.ts';
import { CONNECTIONS, GatewayClient } from './gateway-client.ts';
import { handlePrototypes } from './handle-prototypes.ts';
import { resolveThrough } from './tunnel-dns.ts';

/** Makes `tls.connect` create a handle for a Unix socket. Nothing listens there. */
export const TLS_PATH = '/gateway/tls';

/**
 * Sends every TCP connection of this process through the gateway at `path`, and every name to it. In the sandbox there
 * is no other network: code that gets around this reaches nothing. Ports on which this process listens itself are
 * reached directly.
 */
export function tunnelThrough(path: string): void {
  const { pipe } = handlePrototypes();
  const original: unknown = Socket.prototype.connect;
  if (!isFunction(original)) throw new Error('net.Socket has no connect.');
  const gateway = new GatewayClient(path, (socket, at) => original.call(socket, { path: at }));
  const connections = join(dirname(path), CONNECTIONS);
  const deferred = new DeferredConnects(pipe, connections);
  const ownPorts = listeningPorts();

  Reflect.set(Socket.prototype, 'connect', function (this: Socket, ...args: unknown[]): Socket {
    const { options, callback } = connectTarget(args);
    const host = typeof options['host'] === 'string' ? options['host'] : 'localhost';
    const port = Number(options['port']);
    const isPath = options['path'] !== undefined && options['path'] !== TLS_PATH;
    const hasParent = isDict(Reflect.get(this, '_parent'));
    const isOwn = isLoopback(host) && ownPorts.has(port);
    if (isPath || hasParent || isOwn || !isPortNumber(options['port'], port)) {
      if (options['path'] === TLS_PATH && !hasParent) options['path'] = undefined;
      original.apply(this, callback ? [options, callback] : [options]);
      return this;
    }
    const id = gateway.newId();
    original.apply(this, [{ path: deferredPath(connections, id) }, ...(callback ? [callback] : [])]);
    void connectThrough(this, id, { ...options, host, port }, gateway).then(
      (tunnelled) => {
        if (this.destroyed) return deferred.drop(id);
        describe(this, tunnelled, { host, port });
        deferred.finish(id);
      },
      (error: unknown) => {
        deferred.drop(id);
        this.destroy(error instanceof Error ? error : new Error(String(error)));
      },
    );
    return this;
  });
  tunnelTls();
  resolveThrough(gateway);
  syncBuiltinESMExports();
}

/** Gives the socket the properties of a TCP connection. */
function describe(
  socket: Socket,
  { address, family }: Tunnelled,
  { host, port }: { host: string; port: number },
): void {
  socket.emit('lookup', null, address, family, host);
  const properties = {
    remoteAddress: address,
    remotePort: port,
    remoteFamily: family === 6 ? 'IPv6' : 'IPv4',
  };
  for (const [name, value] of Object.entries(properties)) {
    Object.defineProperty(socket, name, { value, configurable: true });
  }
}

interface Tunnelled {
  address: string;
  family: number;
}

async function connectThrough(
  socket: Socket,
  id: number,
  options: Dict & { host: string; port: number },
  gateway: GatewayClient,
): Promise<Tunnelled> {
  const family = Number(options['family'] ?? 0);
  const own: unknown = options['lookup'];
  const host = isFunction(own) && isIP(options.host) === 0 ? await lookedUp(own, options.host, family) : options.host;
  if (socket.destroyed) throw new Error('The socket was closed.');
  const response = await gateway.request(id, {
    connect: { host, port: options.port, ...(family === 0 ? {} : { family }) },
  });
  return { address: String(response['address']), family: Number(response['family']) };
}

/** Calls a component's own `lookup`. */
const lookedUp = (lookup: AnyFunction, host: string, family: number): Promise<string> =>
  new Promise((resolve, reject) => {
    lookup(host, { family, hints: 0, all: false }, (error: unknown, found: unknown) => {
      const first: unknown = Array.isArray(found) ? found[0] : found;
      const address = isDict(first) ? first['address'] : first;
      if (error) reject(error instanceof Error ? error : new Error(String(error)));
      else resolve(String(address));
    });
  });

/** The handle of a TLS socket is made before it connects, and must be one for a Unix socket. */
function tunnelTls(): void {
  // Only a process in a sandbox pays for it.
  const tls: unknown = createRequire(__filename)('node:tls');
  if (!isDict(tls)) return;
  const original = tls['connect'];
  if (!isFunction(original)) return;
  Reflect.set(tls, 'connect', (...args: unknown[]) => {
    const { options, callback } = connectTarget(args);
    const more = args.filter((each) => isDict(each) && !Array.isArray(each));
    const merged: Dict = Object.assign({}, { ...options }, ...more);
    const path = (merged['socket'] ?? merged['path']) ? {} : { path: TLS_PATH };
    return original(...[{ ...merged, ...path }, ...(callback ? [callback] : [])]);
  });
}

/** Ports on which this process listens, kept up to date. */
function listeningPorts(): ReadonlySet<number> {
  const ports = new Set<number>();
  const { listen } = net.Server.prototype;
  Reflect.set(net.Server.prototype, 'listen', function (this: net.Server, ...args: unknown[]) {
    let port: number | undefined;
    this.once('listening', () => {
      const address = this.address();
      if (isDict(address)) ports.add((port = Number(address['port'])));
    });
    this.once('close', () => {
      if (port !== undefined) ports.delete(port);
    });
    return Reflect.apply(listen, this, args);
  });
  return ports;
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host.startsWith('127.') || host === '0.0.0.0' || host === '::';

const isPortNumber = (value: unknown, port: number): boolean =>
  (typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')) &&
  Number.isInteger(port) &&
  port >= 0 &&
  port < 65_536;
