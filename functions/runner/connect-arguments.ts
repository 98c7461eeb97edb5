import { type Dict, isDict, isFunction } from '../../shared/runtime/guards.ts';

/** Options and callback of `connect(options, cb)`, `connect(port, host, cb)`, `connect(path, cb)`, or of the first form as one array. */
export function connectArguments(args: unknown[]): [Dict, unknown] {
  const [first] = args;
  if (Array.isArray(first)) return [isDict(first[0]) ? first[0] : {}, first[1]];
  const callback = args.find(isFunction);
  if (isDict(first)) return [{ ...first }, callback];
  if (typeof first === 'string' && Number.isNaN(Number(first))) return [{ path: first }, callback];
  return [{ port: first, ...(typeof args[1] === 'string' ? { host: args[1] } : {}) }, callback];
}

/** Arguments for the original `connect`. Node marks its own arrays with a symbol, so such an array is passed on; its options were changed in place. */
export const rebuilt = (args: unknown[], options: Dict, callback: unknown): unknown[] =>
  Array.isArray(args[0]) ? args : isFunction(callback) ? [options, callback] : [options];
