import { Writable } from 'node:stream';
import { isFunction } from '../../shared/runtime/guards.ts';

/** Takes one call: its level, e.g. `console.log`, and what was passed. */
export type Log = (level: string, args: readonly unknown[]) => void;

const METHODS = ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir'] as const;

/**
 * Everything a component says through `console` and the standard streams goes to `log`. The other methods of the console
 * (table, group, count, assert …) call one of these.
 */
export function captureOutput(log: Log): void {
  for (const method of METHODS) {
    Reflect.set(console, method, (...args: unknown[]) => {
      // The second argument of `dir` says how to show the first.
      log(`console.${method}`, method === 'dir' ? args.slice(0, 1) : args);
    });
  }
  Object.defineProperty(process, 'stdout', { value: stream('console.log', log), configurable: true });
  Object.defineProperty(process, 'stderr', { value: stream('console.error', log), configurable: true });
}

function stream(level: string, log: Log): Writable {
  return new Writable({
    decodeStrings: false,
    write(chunk: unknown, _encoding, done) {
      const text = String(chunk).replace(/\n$/, '');
      // As one value, so that a `%s` in it stays one.
      log(level, ['%s', text]);
      if (isFunction(done)) done();
    },
  });
}
