import { EventEmitter } from 'node:events';
import { Writable } from 'node:stream';
import { format } from 'node:util';

export interface LogLine {
  readonly functionName: string;
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly text: string;
}
export type LogSink = (line: LogLine) => void;

type Log = (level: LogLine['level'], text: string) => void;

/** The code called `process.exit`: Lambda then fails the invocations of the instance and starts a new one. */
class ProcessExited extends Error {
  override readonly name = 'Runtime.ExitError';
}

interface PrivateProcessOptions {
  environment: Readonly<Record<string, string>>;
  /** Further properties of `process`, by symbol. */
  extras: Readonly<Record<symbol, unknown>>;
  log: Log;
}

/** The `process` of one instance, with its own environment, events and output. The rest is the machine's. */
export function privateProcess({ environment, extras, log }: PrivateProcessOptions): NodeJS.Process {
  const own = Object.create(process) as NodeJS.Process;
  // Listeners belong to the instance: it gets SIGTERM when it is dropped.
  Reflect.apply(EventEmitter, own, []);
  const output = (level: LogLine['level']) =>
    new Writable({
      decodeStrings: false,
      write(chunk: string | Buffer, _encoding, done) {
        log(level, String(chunk).replace(/\n$/, ''));
        done();
      },
    });
  const define = (key: string | symbol, value: unknown) => Object.defineProperty(own, key, { value, writable: true });
  define('env', { ...environment });
  define('stdout', output('info'));
  define('stderr', output('error'));
  define('emitWarning', (warning: string | Error) => {
    warnOnce(String(warning));
  });
  define('exit', (code?: number) => {
    throw new ProcessExited(`Runtime exited with error: exit status ${code ?? 0}`);
  });
  for (const key of Object.getOwnPropertySymbols(extras)) define(key, extras[key]);
  return own;
}

const warned = new Set<string>();

/** The SDK warns that its future releases need a newer Node. Our release of the SDK is locked. */
const ABOUT_FUTURE_RELEASES = /^NodeVersionSupportWarning/;

/** Emits a warning once, because every bundle has its own copy of a library and would repeat it. */
function warnOnce(warning: string): void {
  if (warned.has(warning) || ABOUT_FUTURE_RELEASES.test(warning)) return;
  warned.add(warning);
  process.emitWarning(warning);
}

/** The `console` of one instance. Every call is one line of the log. */
export function privateConsole(log: Log): Console {
  const at =
    (level: LogLine['level']) =>
    (...values: unknown[]) => {
      log(level, typeof values[0] === 'string' && values.length === 1 ? values[0] : format(...values));
    };
  const own = {
    debug: at('debug'),
    log: at('info'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    trace: at('debug'),
  };
  return Object.assign(Object.create(console) as Console, own);
}
