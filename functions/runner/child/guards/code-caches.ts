import nodeModule, { syncBuiltinESMExports } from 'node:module';
import vm from 'node:vm';
import { isDict, isFunction } from '../../../../shared/runtime/guards.ts';

/** Captured before user code can replace them. */
const { construct } = Reflect;
const { defineProperty } = Object;
const { isView } = ArrayBuffer;
const { compileFunction } = vm;

/**
 * Drops code caches that a component gives to the engine, as the engine drops those of another version: V8 runs the
 * bytecode in them without verifying it. Making a cache stays possible, because packages do so and find theirs
 * rejected.
 */
export function dropCodeCaches(): void {
  guardScripts();
  Reflect.set(vm, 'compileFunction', withoutCache);
  // It reads caches from a directory of the component's choice.
  if ('enableCompileCache' in nodeModule)
    Reflect.set(nodeModule, 'enableCompileCache', () => ({ status: compileCacheDisabled() }));
  syncBuiltinESMExports();
}

/**
 * Guards the native class under `vm.Script`, which is in reach through the prototypes of the class and of its
 * instances.
 */
function guardScripts(): void {
  const native: unknown = Object.getPrototypeOf(vm.Script);
  if (!isFunction(native)) throw new Error('vm.Script has no native class.');
  const prototype: unknown = Reflect.get(native, 'prototype');
  if (!isDict(prototype)) throw new Error('The native class of vm.Script has no prototype.');
  const ContextifyScript = function (this: unknown, ...args: unknown[]): object {
    if (new.target === undefined) throw new TypeError("Class constructor cannot be invoked without 'new'");
    // Its place among the arguments depends on the version of Node. No other argument is a view.
    let hasCache = false;
    for (let index = 0; index < args.length; index += 1) {
      if (!isView(args[index])) continue;
      hasCache = true;
      args[index] = undefined;
    }
    const script: object = construct(native, args, new.target);
    if (hasCache) reject(script);
    return script;
  };
  defineProperty(ContextifyScript, 'prototype', { value: prototype, writable: false });
  defineProperty(prototype, 'constructor', {
    value: ContextifyScript,
    writable: false,
    configurable: false,
  });
  Object.setPrototypeOf(vm.Script, ContextifyScript);
}

function withoutCache(
  code: string,
  parameters?: readonly string[],
  options?: vm.CompileFunctionOptions,
): ReturnType<typeof compileFunction> {
  const hasCache = options?.cachedData !== undefined;
  // An own member, because one of the prototype would be read otherwise.
  const compiled = compileFunction(code, parameters, { ...options, cachedData: undefined });
  if (hasCache) reject(compiled);
  return compiled;
}

const reject = (compiled: object): void =>
  void defineProperty(compiled, 'cachedDataRejected', {
    value: true,
    writable: true,
    enumerable: true,
    configurable: true,
  });

/** `module.constants.compileCacheStatus.DISABLED`. */
function compileCacheDisabled(): unknown {
  const constants: unknown = Reflect.get(nodeModule, 'constants');
  const statuses = isDict(constants) ? constants['compileCacheStatus'] : undefined;
  return isDict(statuses) ? statuses['DISABLED'] : undefined;
}
