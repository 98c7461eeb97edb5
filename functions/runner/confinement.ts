import { lookup as systemLookup } from 'node:dns';
import { builtinModules } from 'node:module';
import net from 'node:net';
import os from 'node:os';
import { type AnyFunction, type Dict, isDict, isFunction } from '../../shared/runtime/guards.ts';
import { connectArguments, rebuilt } from './connect-arguments.ts';

/** Addresses that a child must not connect to, though it shares the machine's network. */
export interface Forbidden {
  /** `host:port` of the Lambda runtime API, from which a function gets its invocations. */
  runtimeApi: string | undefined;
  directory: string;
}

/**
 * Closes what Node's permission model leaves open and no component needs: signals and priorities of other processes, the Lambda runtime API,
 * the machine's metadata service and its sockets. The permission model closes files, programs, workers, add-ons and the inspector.
 */
export function confine(forbidden: Forbidden): void {
  const refuse = (what: string) =>
    Object.assign(new Error(`A component may not ${what}.`), { code: 'ERR_ACCESS_DENIED' });
  const { pid } = process;
  // `process.kill` calls it and turns the number that it returns into an error.
  const kill: unknown = Reflect.get(process, '_kill');
  Reflect.set(process, '_kill', (target: unknown, signal: unknown) =>
    target === pid && isFunction(kill) ? kill.call(process, target, signal) : -os.constants.errno.EPERM,
  );
  for (const raw of ['_debugProcess', '_linkedBinding']) Reflect.deleteProperty(process, raw);
  const binding: unknown = Reflect.get(process, 'binding');
  // Packages read the names of builtin modules from it. Node's permission model refuses all of it.
  Reflect.set(process, 'binding', (name: unknown) => {
    if (name === 'natives') return Object.fromEntries(builtinModules.map((module) => [module, '']));
    return isFunction(binding) ? binding.call(process, name) : undefined;
  });
  const { setPriority } = os;
  Reflect.set(os, 'setPriority', (...args: [number, number?]) => {
    const target = args.length > 1 ? args[0] : 0;
    if (target !== 0 && target !== pid) throw refuse('change the priority of other processes');
    setPriority(0, args[1] ?? args[0]);
  });
  guardConnections(forbidden, refuse);
}

function guardConnections({ runtimeApi, directory }: Forbidden, refuse: (what: string) => Error): void {
  const runtimePort = runtimeApi?.slice(runtimeApi.lastIndexOf(':') + 1);
  const isForbidden = (address: string, port: unknown): boolean => {
    const bare = address.toLowerCase().replace(/^::ffff:/, '');
    if (bare.startsWith('169.254.') || /^fe[89ab]/.test(bare) || bare === 'fd00:ec2::254') return true;
    const isLoopback = bare.startsWith('127.') || bare === '::1' || bare === '0.0.0.0' || bare === '::';
    return isLoopback && runtimePort !== undefined && String(port) === runtimePort;
  };
  const problem = (options: Dict): Error | undefined => {
    const { path, host, port } = options;
    if (typeof path === 'string' && path !== '' && port === undefined) {
      return path.startsWith(`${directory}/`) ? undefined : refuse('connect to sockets of the machine');
    }
    if (typeof host === 'string' && net.isIP(host) !== 0 && isForbidden(host, port))
      return refuse('connect there');
    return undefined;
  };
  const guarded =
    (lookup: AnyFunction, port: unknown) =>
    (host: unknown, options: unknown, callback: unknown): unknown =>
      lookup(host, options, (error: unknown, found: unknown, family: unknown) => {
        if (!isFunction(callback)) return;
        const denied = addressesIn(found).some((address) => isForbidden(address, port));
        if (denied) callback(refuse('connect there'));
        else callback(error, found, family);
      });

  // Callers reuse options for several connections.
  const guards = new WeakSet<AnyFunction>();
  const connect: unknown = net.Socket.prototype.connect;
  if (!isFunction(connect)) return;
  Reflect.set(net.Socket.prototype, 'connect', function (this: net.Socket, ...args: unknown[]) {
    const [options, callback] = connectArguments(args);
    const error = problem(options);
    if (error) {
      process.nextTick(() => this.destroy(error));
      return this;
    }
    const { lookup } = options;
    if (!isFunction(lookup) || !guards.has(lookup)) {
      const guard = guarded(isFunction(lookup) ? lookup : looksUp, options['port']);
      guards.add(guard);
      options['lookup'] = guard;
    }
    return connect.apply(this, rebuilt(args, options, callback));
  });
}

const looksUp: AnyFunction = (...args) => Reflect.apply(systemLookup, undefined, args);

const addressesIn = (found: unknown): string[] =>
  (Array.isArray(found) ? found : [found]).flatMap((item: unknown) => {
    const address = isDict(item) ? item['address'] : item;
    return typeof address === 'string' ? [address] : [];
  });
