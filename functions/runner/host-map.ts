import net from 'node:net';
import { isDict, isFunction } from '../../shared/runtime/guards.ts';
import { connectArguments, rebuilt } from './connect-arguments.ts';

/**
 * Redirects connections to the hosts in `text` (JSON: host → `host:port`, `*` for every name but localhost). A TLS client still expects the
 * certificate of the host that the component named.
 */
export function mapHosts(text: string): void {
  const parsed: unknown = JSON.parse(text);
  const hosts = new Map(Object.entries(isDict(parsed) ? parsed : {}));
  const connect: unknown = net.Socket.prototype.connect;
  if (hosts.size === 0 || !isFunction(connect)) return;
  Reflect.set(net.Socket.prototype, 'connect', function (this: net.Socket, ...args: unknown[]) {
    const [options, callback] = connectArguments(args);
    const target = targetOf(options['host'], hosts);
    if (target) Object.assign(options, target);
    return connect.apply(this, rebuilt(args, options, callback));
  });
}

function targetOf(host: unknown, hosts: Map<string, unknown>): { host: string; port: number } | undefined {
  if (typeof host !== 'string') return undefined;
  const name = host.toLowerCase();
  const isOther = net.isIP(name) === 0 && name !== 'localhost' && !name.endsWith('.localhost');
  const place = hosts.get(name) ?? (isOther ? hosts.get('*') : undefined);
  if (typeof place !== 'string') return undefined;
  const at = place.lastIndexOf(':');
  return { host: place.slice(0, at), port: Number(place.slice(at + 1)) };
}
