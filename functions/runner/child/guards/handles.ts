import os from 'node:os';
import { type AnyFunction, isDict, isFunction } from '../../../../shared/runtime/guards.ts';
import type { Handles } from '../../../../shared/runtime/network/handle-prototypes.ts';
import { addressBytes } from '../../../../shared/runtime/network/address-bytes.ts';
import type { Refuses } from '../../../../shared/runtime/network/address-rule.ts';

/** The sockets that a process may use. */
export interface SocketRule {
  refuses: Refuses;
  /** The path as the process may use it; undefined when it may not. */
  socketPath: (path: string) => string | undefined;
  /** Called once when the process listens. */
  onListen: () => void;
}

/** Captured before user code can replace them: everything below runs beside it. */
const { apply } = Reflect;
const { defineProperty } = Object;
const add = WeakSet.prototype.add;
const has = WeakSet.prototype.has;
const { isArray } = Array;
const text = String;
const number = Number;
const REFUSED = -os.constants.errno.EACCES;

/**
 * Guards the methods of Node's own socket handles, the one place that every client passes: `net`, `tls`, `http`,
 * `fetch`, `dgram` and `dns`. Each argument is read once and passed on as a primitive. The methods return the number of
 * an error, as the originals do.
 */
export function guardHandles({ tcp, pipe, udp, channel }: Handles, rule: SocketRule): void {
  const bound = new WeakSet<object>();

  for (const name of ['connect', 'connect6']) {
    guard(tcp, name, (original, self, args) => {
      const address = text(args[1]);
      const port = number(args[2]);
      return rule.refuses(address, port) ? REFUSED : apply(original, self, [args[0], address, port]);
    });
  }
  for (const name of ['bind', 'bind6']) {
    guard(tcp, name, (original, self, args) => {
      const address = text(args[0]);
      if (!isLoopback(address)) return REFUSED;
      const result: unknown = apply(original, self, [address, number(args[1]), number(args[2] ?? 0)]);
      // The system binds a socket that is not bound yet to every address when it listens.
      if (result === 0) apply(add, bound, [self]);
      return result;
    });
    // A socket that only sends is bound to a free port of any address.
    guard(udp, name, (original, self, args) => {
      const address = text(args[0]);
      const port = number(args[1]);
      if (!isLoopback(address) && port !== 0) return REFUSED;
      return apply(original, self, [address, port, number(args[2] ?? 0)]);
    });
  }
  guard(tcp, 'listen', (original, self, args) => {
    if (!apply(has, bound, [self])) return REFUSED;
    rule.onListen();
    return apply(original, self, [number(args[0])]);
  });
  guard(pipe, 'connect', (original, self, args) => {
    const path = rule.socketPath(text(args[1]));
    return path === undefined ? REFUSED : apply(original, self, [args[0], path]);
  });
  guard(pipe, 'bind', (original, self, args) => {
    const path = rule.socketPath(text(args[0]));
    return path === undefined ? REFUSED : apply(original, self, [path]);
  });
  guard(pipe, 'listen', (original, self, args) => {
    rule.onListen();
    return apply(original, self, [number(args[0])]);
  });
  for (const name of ['connect', 'connect6']) {
    guard(udp, name, (original, self, args) => {
      const address = text(args[0]);
      const port = number(args[1]);
      return rule.refuses(address, port) ? REFUSED : apply(original, self, [address, port]);
    });
  }
  for (const name of ['send', 'send6']) {
    guard(udp, name, (original, self, args) => {
      // A connected socket sends without an address.
      if (args.length < 5) return apply(original, self, args);
      const port = number(args[3]);
      const address = text(args[4]);
      if (rule.refuses(address, port)) return REFUSED;
      return apply(original, self, [args[0], args[1], args[2], port, address, args[5]]);
    });
  }
  for (const name of ['addMembership', 'addSourceSpecificMembership', 'setMulticastInterface']) {
    guard(udp, name, () => REFUSED);
  }
  guardResolvers(channel, rule.refuses);
}

/** Servers that a component gives its resolver get queries, so they are addresses that it connects to. */
function guardResolvers(channel: object, refuses: Refuses): void {
  guard(channel, 'setServers', (original, self, args) => {
    const servers: unknown = args[0];
    const checked: unknown[] = [];
    const length = isArray(servers) ? servers.length : 0;
    for (let index = 0; index < length; index += 1) {
      const server: unknown = isArray(servers) ? servers[index] : undefined;
      const family = number(isArray(server) ? server[0] : 0);
      const address = text(isArray(server) ? server[1] : '');
      const port = number(isArray(server) ? server[2] : 0);
      if (refuses(address, port === 0 ? 53 : port)) return REFUSED;
      defineProperty(checked, index, { value: [family, address, port], enumerable: true });
    }
    return apply(original, self, [checked]);
  });
}

/** `127.…` or `::1`. */
function isLoopback(address: string): boolean {
  const bytes = addressBytes(address);
  if (bytes === undefined) return false;
  if (bytes.length === 4) return bytes[0] === 127;
  for (let index = 0; index < 15; index += 1) if (bytes[index] !== 0) return false;
  return bytes[15] === 1;
}

type Guarded = (original: AnyFunction, self: object, args: readonly unknown[]) => unknown;

function guard(prototype: object, name: string, guarded: Guarded): void {
  const original: unknown = Reflect.get(prototype, name);
  if (!isFunction(original)) return;
  const replacement = function (this: object, ...args: unknown[]): unknown {
    return guarded(original, this, args);
  };
  defineProperty(prototype, name, { value: replacement, writable: false, configurable: false });
  for (let owner: unknown = Object.getPrototypeOf(prototype); isDict(owner); owner = Object.getPrototypeOf(owner)) {
    if (Object.hasOwn(owner, name))
      defineProperty(owner, name, { value: replacement, writable: false, configurable: false });
  }
}
