import dns from 'node:dns';
import { isIP } from 'node:net';
import { promisify } from 'node:util';
import { type AnyFunction, type Dict, isDict, isFunction } from '../guards.ts';
import type { GatewayClient } from './gateway-client.ts';

/** Functions of `dns` and the record type that each asks for. */
const RECORDS: Readonly<Record<string, string>> = {
  resolve4: 'A',
  resolve6: 'AAAA',
  resolveAny: 'ANY',
  resolveCaa: 'CAA',
  resolveCname: 'CNAME',
  resolveMx: 'MX',
  resolveNaptr: 'NAPTR',
  resolveNs: 'NS',
  resolvePtr: 'PTR',
  resolveSoa: 'SOA',
  resolveSrv: 'SRV',
  resolveTxt: 'TXT',
};

/** Answers the functions of `dns` and `dns.promises` by the gateway. */
export function resolveThrough(gateway: GatewayClient): void {
  const records = async (name: unknown, type: unknown): Promise<unknown> =>
    (await gateway.request(gateway.newId(), { resolve: { name: String(name), type: String(type) } }))['records'];

  const lookup = async (host: unknown, value: unknown): Promise<Dict[]> => {
    const { family, hints } = lookupOptions(value);
    const name = String(host);
    if (isIP(name) !== 0) return [{ address: name, family: isIP(name) }];
    const { addresses } = await gateway.request(gateway.newId(), { lookup: { host: name, family, hints } });
    return Array.isArray(addresses) ? addresses.filter(isDict) : [];
  };
  const lookupPromise = async (host: unknown, value?: unknown): Promise<unknown> => {
    const found = await lookup(host, value);
    return lookupOptions(value).all ? found : found[0];
  };
  const lookupCallback: AnyFunction = (host, ...rest) => {
    const callback = rest[rest.length - 1];
    const { all } = lookupOptions(rest[0]);
    respond(lookup(host, rest[0]), callback, (found) =>
      all ? [found] : [found[0]?.['address'], found[0]?.['family']],
    );
  };
  Object.defineProperty(lookupCallback, promisify.custom, { value: lookupPromise });
  Reflect.set(dns, 'lookup', lookupCallback);
  Reflect.set(dns.promises, 'lookup', lookupPromise);

  const resolvers = [dns.Resolver.prototype, dns.promises.Resolver.prototype] as const;
  const targets: [object, boolean][] = [
    [dns, false],
    [dns.promises, true],
    [resolvers[0], false],
    [resolvers[1], true],
  ];
  for (const [target, isPromise] of targets) {
    const set = (name: string, typeOf: (args: readonly unknown[]) => unknown) => {
      if (!isFunction(Reflect.get(target, name))) return;
      Reflect.set(target, name, (...args: unknown[]): unknown => {
        const found = records(args[0], typeOf(args));
        if (isPromise) return found;
        respond(found, args[args.length - 1], (value) => [value]);
        return {};
      });
    };
    for (const [name, type] of Object.entries(RECORDS)) set(name, () => type);
    set('resolve', ([, type]) => (typeof type === 'string' ? type : 'A'));
    set('reverse', () => 'REVERSE');
  }
}

function lookupOptions(value: unknown): { family: number; hints: number; all: boolean } {
  const options = isDict(value) ? value : { family: value };
  const { family, hints, all } = options;
  const number = family === 'IPv4' ? 4 : family === 'IPv6' ? 6 : family;
  return {
    family: number === 4 || number === 6 ? number : 0,
    hints: typeof hints === 'number' ? hints : 0,
    all: all === true,
  };
}

function respond<T>(promise: Promise<T>, callback: unknown, values: (value: T) => unknown[]): void {
  if (!isFunction(callback))
    throw Object.assign(new TypeError('The "callback" argument must be of type function.'), {
      code: 'ERR_INVALID_ARG_TYPE',
    });
  promise.then(
    // A throw of the callback is an uncaught exception, as it is with Node's own.
    (value) => process.nextTick(() => callback(null, ...values(value))),
    (error: unknown) => process.nextTick(() => callback(error)),
  );
}
