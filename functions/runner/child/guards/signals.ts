import { ChildProcess } from 'node:child_process';
import { builtinModules, syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { isDict, isFunction } from '../../../../shared/runtime/guards.ts';
import { denied } from './denied.ts';

/** Captured before user code can replace them. */
const { apply } = Reflect;
const number = Number;
const REFUSED = -os.constants.errno.EPERM;

/** Keeps signals and priorities to this process, and Node's bindings from it. */
export function guardProcesses(): void {
  const { pid } = process;
  // `process.kill` calls it and turns the number that it returns into an error.
  const kill: unknown = Reflect.get(process, '_kill');
  Object.defineProperty(process, '_kill', {
    value: (target: unknown, signal: unknown) =>
      target === pid && isFunction(kill) ? apply(kill, process, [pid, signal]) : REFUSED,
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
    setPriority(0, number(args[1] ?? args[0]));
  });
  guardHandle();
  syncBuiltinESMExports();
}

/**
 * The handle of a process that was not started reads its process id from uninitialised memory, where a component can
 * have put the id of any process. It starts no process, so it needs no signal.
 */
function guardHandle(): void {
  const handle: unknown = Reflect.get(new ChildProcess(), '_handle');
  const prototype: unknown = isDict(handle) ? Object.getPrototypeOf(handle) : undefined;
  if (!isDict(prototype) || !isFunction(prototype['kill']))
    throw new Error('Node keeps the handle of a process elsewhere.');
  Object.defineProperty(prototype, 'kill', { value: () => REFUSED, writable: false, configurable: false });
}
