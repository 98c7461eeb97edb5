export type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;
export type Dict = Record<string, unknown>;

export const isFunction = (value: unknown): value is AnyFunction => typeof value === 'function';

/** Captured before component code can replace it. */
const { isArray } = Array;

/** An object, also a class instance or a module namespace, but not an array. */
export const isDict = (value: unknown): value is Dict => typeof value === 'object' && value !== null && !isArray(value);
