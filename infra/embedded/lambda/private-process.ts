import { EventEmitter } from 'node:events';
import { Writable } from 'node:stream';
import { format } from 'node:util';

export interface LogLine {
  readonly functionName: string;
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly text: string;
}
export type LogSink = (line: LogLine) => void;

type Say = (level: LogLine['level'], text: string) => void;

/** The process ends itself: Lambda then starts another one and fails what ran. */
export class ProcessExited extends Error {
  override readonly name = 'Runtime.ExitError';
}

interface Given {
  environment: Readonly<Record<string, string>>;
  /** What else code may find on its process, by symbol. */
  extras: Readonly<Record<symbol, unknown>>;
  say: Say;
}

/** The `process` of one instance: its own environment, events and output; otherwise the machine's. */
export function privateProcess({ environment, extras, say }: Given): NodeJS.Process {
  const own = Object.create(process) as NodeJS.Process;
  // From here on listeners are the instance's own: SIGTERM is told when it is dropped.
  Reflect.apply(EventEmitter, own, []);
  const output = (level: LogLine['level']) =>
    new Writable({
      decodeStrings: false,
      write(chunk: string | Buffer, _encoding, done) {
        say(level, String(chunk).replace(/\n$/, ''));
        done();
      },
    });
  const define = (key: string | symbol, value: unknown) =>
    Object.defineProperty(own, key, { value, writable: true });
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

/** What the SDK says of Node versions that its releases to come will not run on: ours is locked. */
const ABOUT_FUTURE_RELEASES = /^NodeVersionSupportWarning/;

/** Every bundle has its own copy of a library; what each would say of this machine is said once. */
function warnOnce(warning: string): void {
  if (warned.has(warning) || ABOUT_FUTURE_RELEASES.test(warning)) return;
  warned.add(warning);
  process.emitWarning(warning);
}

/** The `console` of one instance; every call is one line of the log. */
export function privateConsole(say: Say): Console {
  const at =
    (level: LogLine['level']) =>
    (...given: unknown[]) => {
      say(level, typeof given[0] === 'string' && given.length === 1 ? given[0] : format(...given));
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
