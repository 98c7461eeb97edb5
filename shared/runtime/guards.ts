export type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;
export type Dict = Record<string, unknown>;

export const isFunction = (value: unknown): value is AnyFunction => typeof value === 'function';

/** An object whose members may be read by name: not an array, but class instances and module namespaces too. */
export const isDict = (value: unknown): value is Dict =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
