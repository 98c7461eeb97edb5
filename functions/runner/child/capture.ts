import { Writable } from 'node:stream';
import { isFunction } from '../../../shared/runtime/guards.ts';

/** Receives one call: its level, such as `console.log`, and its arguments. */
export type Log = (level: string, args: readonly unknown[]) => void;

const METHODS = ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir'] as const;

/**
 * Passes calls of `console` and writes to the standard streams to `log`. The other methods of the console (table,
 * group, count, assert …) call one of these.
 */
export function captureOutput(log: Log): void {
  for (const method of METHODS) {
    Reflect.set(console, method, (...args: unknown[]) => {
      // The second argument of `dir` is an options object.
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
      // An argument of its own, so that a `%s` in the text is not a placeholder.
      log(level, ['%s', text]);
      if (isFunction(done)) done();
    },
  });
}
