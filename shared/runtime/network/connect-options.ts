import { type AnyFunction, type Dict, isDict, isFunction } from '../guards.ts';

/** The target of one `connect`, read once: a component cannot change it between the check and the use. */
export interface ConnectTarget {
  /** Options for the original `connect`, without a prototype. */
  readonly options: Dict;
  readonly callback: AnyFunction | undefined;
}

/** Captured before component code can replace them. */
const { isArray } = Array;
const { setPrototypeOf } = Object;
const string = String;
const number = Number;

/** A text of an object may change from one use to the next. */
const text = (value: unknown): unknown => (value === undefined || value === null ? value : `${string(value)}`);

/** An object without a prototype, because a component can put options into `Object.prototype`. */
const plain = (options: Dict): Dict => setPrototypeOf(options, null);

/**
 * Arguments of `connect(options, cb)`, `connect(port, host, cb)`, `connect(path, cb)`, or of the first form as one
 * array.
 */
export function connectTarget(args: readonly unknown[]): ConnectTarget {
  const first = args[0];
  if (isArray(first)) return connectTarget(first);
  const last = args[args.length - 1];
  const callback = isFunction(last) ? last : undefined;
  if (isDict(first)) return { options: copied(first), callback };
  if (typeof first === 'string' && !isPort(first)) return { options: plain({ path: first }), callback };
  const host = typeof args[1] === 'function' ? undefined : text(args[1]);
  return { options: plain({ port: text(first), host }), callback };
}

const isPort = (value: string): boolean => value !== '' && number(value) >= 0;

/**
 * The options that a connection needs, each read once.
 * https://nodejs.org/api/net.html#socketconnectoptions-connectlistener
 */
function copied(original: Dict): Dict {
  const path = original['path'];
  const host = original['host'];
  const port = original['port'];
  return plain({
    port: typeof port === 'object' ? text(port) : port,
    host: host ? text(host) : undefined,
    // Node takes any truthy value for the path of a socket.
    path: path ? text(path) : undefined,
    family: original['family'],
    hints: original['hints'],
    lookup: original['lookup'],
    localAddress: original['localAddress'],
    localPort: original['localPort'],
    noDelay: original['noDelay'],
    keepAlive: original['keepAlive'],
    keepAliveInitialDelay: original['keepAliveInitialDelay'],
    autoSelectFamily: original['autoSelectFamily'],
    autoSelectFamilyAttemptTimeout: original['autoSelectFamilyAttemptTimeout'],
    blockList: original['blockList'],
  });
}
