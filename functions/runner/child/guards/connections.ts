/* oxlint-disable typescript/prefer-for-of -- `for` … `of` calls the iterator of arrays, which can be replaced */
import { lookup as systemLookup } from 'node:dns';
import net from 'node:net';
import { type AnyFunction, type Dict, isDict, isFunction } from '../../../../shared/runtime/guards.ts';
import type { Refuses } from '../../../../shared/runtime/network/address-rule.ts';
import { connectTarget } from '../../../../shared/runtime/network/connect-options.ts';
import { denied } from './denied.ts';

interface ConnectionRule {
  /** Undefined where the gateway judges addresses. */
  refuses: Refuses | undefined;
  socketPath: (path: string) => string | undefined;
}

/** Captured before user code can replace them. */
const { apply } = Reflect;
const { isArray } = Array;
const { nextTick } = process;
const { destroy } = net.Socket.prototype;
const isIp = net.isIP;
const text = String;
const number = Number;

/**
 * Ends a refused connection with an error that says so. The guards of the handles are the wall: they refuse the same
 * with the number of an error only.
 */
export function guardConnections({ refuses, socketPath }: ConnectionRule): void {
  const connect: unknown = net.Socket.prototype.connect;
  if (!isFunction(connect)) throw new Error('net.Socket has no connect.');
  Reflect.set(net.Socket.prototype, 'connect', function (this: net.Socket, ...args: unknown[]) {
    const { options, callback } = connectTarget(args);
    const error = problem(options);
    if (error) {
      Reflect.set(this, 'connecting', true);
      nextTick(() => apply(destroy, this, [error]));
      return this;
    }
    const { lookup, port } = options;
    if (refuses) options['lookup'] = checked(refuses, isFunction(lookup) ? lookup : looksUp, number(port));
    return apply(connect, this, callback ? [options, callback] : [options]);
  });

  function problem({ path, host, port }: Dict): Error | undefined {
    if (typeof path === 'string') {
      return socketPath(path) === undefined ? denied('connect to sockets of the machine') : undefined;
    }
    const isRefused = typeof host === 'string' && isIp(host) !== 0 && refuses?.(host, number(port)) === true;
    return isRefused ? denied(`connect to ${host}`) : undefined;
  }
}

function checked(refuses: Refuses, lookup: AnyFunction, port: number): AnyFunction {
  return (host, options, callback) =>
    lookup(host, options, (error: unknown, found: unknown, family: unknown) => {
      if (!isFunction(callback)) return;
      if (hasRefused(found, (address) => refuses(address, port))) callback(denied(`connect to ${text(host)}`));
      else callback(error, found, family);
    });
}

const looksUp: AnyFunction = (...args) => apply(systemLookup, undefined, args);

/** One address, or a list of them, as texts or as objects. */
function hasRefused(found: unknown, isRefused: (address: string) => boolean): boolean {
  if (!isArray(found)) return isRefusedItem(found, isRefused);
  for (let index = 0; index < found.length; index += 1) if (isRefusedItem(found[index], isRefused)) return true;
  return false;
}

function isRefusedItem(item: unknown, isRefused: (address: string) => boolean): boolean {
  const address = isDict(item) ? item['address'] : item;
  return typeof address === 'string' && isRefused(address);
}
