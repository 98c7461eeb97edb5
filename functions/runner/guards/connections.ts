import { lookup as systemLookup } from 'node:dns';
import net from 'node:net';
import { type AnyFunction, type Dict, isDict, isFunction } from '../../../shared/runtime/guards.ts';
import type { Refuses } from '../../../shared/runtime/network/address-rule.ts';
import { connectTarget } from '../../../shared/runtime/network/connect-options.ts';
import { denied } from './denied.ts';

interface ConnectionRule {
  /** Undefined where the gateway judges addresses. */
  refuses: Refuses | undefined;
  socketPath: (path: string) => string | undefined;
}

const isIp = net.isIP;

/**
 * Ends a refused connection with an error that says so. The guards of the handles are the wall: they refuse the same with the number of
 * an error only.
 */
export function guardConnections({ refuses, socketPath }: ConnectionRule): void {
  const connect: unknown = net.Socket.prototype.connect;
  if (!isFunction(connect)) throw new Error('net.Socket has no connect.');
  Reflect.set(net.Socket.prototype, 'connect', function (this: net.Socket, ...args: unknown[]) {
    const { options, callback } = connectTarget(args);
    const error = problem(options);
    if (error) {
      Reflect.set(this, 'connecting', true);
      process.nextTick(() => this.destroy(error));
      return this;
    }
    const { lookup, port } = options;
    if (refuses) options['lookup'] = checked(refuses, isFunction(lookup) ? lookup : looksUp, Number(port));
    return connect.apply(this, callback ? [options, callback] : [options]);
  });

  function problem({ path, host, port }: Dict): Error | undefined {
    if (typeof path === 'string') {
      return socketPath(path) === undefined ? denied('connect to sockets of the machine') : undefined;
    }
    const isRefused = typeof host === 'string' && isIp(host) !== 0 && refuses?.(host, Number(port)) === true;
    return isRefused ? denied(`connect to ${host}`) : undefined;
  }
}

function checked(refuses: Refuses, lookup: AnyFunction, port: number): AnyFunction {
  return (host, options, callback) =>
    lookup(host, options, (error: unknown, found: unknown, family: unknown) => {
      if (!isFunction(callback)) return;
      if (addressesIn(found).some((address) => refuses(address, port)))
        callback(denied(`connect to ${String(host)}`));
      else callback(error, found, family);
    });
}

const looksUp: AnyFunction = (...args) => Reflect.apply(systemLookup, undefined, args);

const addressesIn = (found: unknown): string[] =>
  (Array.isArray(found) ? found : [found]).flatMap((item: unknown) => {
    const address = isDict(item) ? item['address'] : item;
    return typeof address === 'string' ? [address] : [];
  });
