import net, { isIP } from 'node:net';
import { isFunction } from '../../../../shared/runtime/guards.ts';
import { connectTarget } from '../../../../shared/runtime/network/connect-options.ts';

/** Captured before user code can replace it. */
const { apply } = Reflect;

type Hosts = Readonly<Record<string, string>>;

/**
 * Redirects connections to hosts of the operator's map (host → `host:port`, `*` for every name but localhost). A TLS
 * client still expects the certificate of the host that the component named.
 */
export function mapHosts(hosts: Hosts): void {
  const connect: unknown = net.Socket.prototype.connect;
  const addresses = new Map(Object.entries(hosts));
  if (addresses.size === 0 || !isFunction(connect)) return;
  Reflect.set(net.Socket.prototype, 'connect', function (this: net.Socket, ...args: unknown[]) {
    const { options, callback } = connectTarget(args);
    const target = targetOf(options['host'], addresses);
    if (target) Object.assign(options, target);
    return apply(connect, this, callback ? [options, callback] : [options]);
  });
}

function targetOf(host: unknown, addresses: ReadonlyMap<string, string>): { host: string; port: number } | undefined {
  if (typeof host !== 'string') return undefined;
  const name = host.toLowerCase();
  const isOther = isIP(name) === 0 && name !== 'localhost' && !name.endsWith('.localhost');
  const address = addresses.get(name) ?? (isOther ? addresses.get('*') : undefined);
  if (address === undefined) return undefined;
  const at = address.lastIndexOf(':');
  return { host: address.slice(0, at), port: Number(address.slice(at + 1)) };
}
