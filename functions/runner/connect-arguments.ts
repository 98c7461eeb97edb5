import { type Dict, isDict, isFunction } from '../../shared/runtime/guards.ts';

/** `connect(options, cb)`, `connect(port, host, cb)`, `connect(path, cb)`, or the first of these as one list. */
export function connectArguments(args: unknown[]): [Dict, unknown] {
  const [first] = args;
  if (Array.isArray(first)) return [isDict(first[0]) ? first[0] : {}, first[1]];
  const callback = args.find(isFunction);
  if (isDict(first)) return [{ ...first }, callback];
  if (typeof first === 'string' && Number.isNaN(Number(first))) return [{ path: first }, callback];
  return [{ port: first, ...(typeof args[1] === 'string' ? { host: args[1] } : {}) }, callback];
}

/** Node marks its own lists with a symbol, so such a list is passed on as it is; its options were changed in place. */
export const rebuilt = (args: unknown[], options: Dict, callback: unknown): unknown[] =>
  Array.isArray(args[0]) ? args : isFunction(callback) ? [options, callback] : [options];
