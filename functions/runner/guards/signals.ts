import { builtinModules, syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { isFunction } from '../../../shared/runtime/guards.ts';
import { denied } from './denied.ts';

const { apply } = Reflect;

/** Keeps signals and priorities to this process, and Node's bindings from it. */
export function guardProcesses(): void {
  const { pid } = process;
  // `process.kill` calls it and turns the number that it returns into an error.
  const kill: unknown = Reflect.get(process, '_kill');
  Object.defineProperty(process, '_kill', {
    value: (target: unknown, signal: unknown) =>
      target === pid && isFunction(kill) ? apply(kill, process, [pid, signal]) : -os.constants.errno.EPERM,
    writable: false,
    configurable: false,
  });
  // Packages read the names of builtin modules from it.
  Object.defineProperty(process, 'binding', {
    value: (name: unknown) => {
      if (name === 'natives') return Object.fromEntries(builtinModules.map((module) => [module, '']));
      throw denied('use bindings of Node');
    },
    writable: false,
    configurable: false,
  });
  const { setPriority } = os;
  Reflect.set(os, 'setPriority', (...args: [number, number?]) => {
    const target = args.length > 1 ? args[0] : 0;
    if (target !== 0 && target !== pid) throw denied('change the priority of other processes');
    setPriority(0, Number(args[1] ?? args[0]));
  });
  syncBuiltinESMExports();
}
