import { PassThrough, Writable } from 'node:stream';
import type { Operate } from '../../bin/admin/operator.ts';
import { lazyAdminGroup } from '../../bin/lazy-admin-group.ts';
import { runCommandLine } from '../../bin/tributary/run-command-line.ts';
import type { Terminal } from '../../bin/tributary/terminal.ts';
import { until } from './until.ts';

export interface CommandOptions {
  env?: Record<string, string>;
  cwd?: string;
  /** The standard input; it stays open without. */
  input?: string;
  /** Columns of a terminal; a pipe without. */
  columns?: number;
  /** A person types at the terminal. */
  isTyping?: boolean;
  /** Gives commands of `tributary admin` their operator. */
  operate?: Operate;
}

export interface CommandResult {
  code: number;
  out: string;
  error: string;
}

/** A command that runs in this process until it ends or is interrupted. */
export interface RunningCommand {
  readonly out: () => string;
  readonly error: () => string;
  readonly lines: () => string[];
  readonly ended: Promise<CommandResult>;
  write(text: string): void;
  /** Ctrl-C. */
  interrupt(): void;
  /** Waits for a line of the output. */
  line(matches: (line: string) => boolean): Promise<string>;
}

class Screen extends Writable {
  text = '';
  isTTY: boolean;
  columns: number;

  constructor(columns: number | undefined) {
    super();
    this.isTTY = columns !== undefined;
    this.columns = columns ?? 0;
  }

  /** A pipe does not end the output of a process either. */
  override end(): this {
    return this;
  }

  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

const noService = () => Promise.reject(new Error('The service does not start inside of a test'));

export function startCommand(
  argv: readonly string[],
  { env = {}, cwd = '/', input, columns, isTyping = false, operate = noService }: CommandOptions = {},
): RunningCommand {
  const [stdout, stderr] = [new Screen(columns), new Screen(columns)];
  const stdin = Object.assign(new PassThrough(), { isTTY: isTyping });
  if (input !== undefined) stdin.end(input);
  const stop = new AbortController();
  const terminal: Terminal = {
    // A configuration of this machine's user is not read.
    env: { HOME: '/nonexistent', ...env },
    cwd,
    stdin,
    stdout,
    stderr,
    interrupted: () => stop.signal,
  };
  const ended = runCommandLine(argv, terminal, { run: noService, addAdmin: lazyAdminGroup(operate) }).then((code) => ({
    code,
    out: stdout.text,
    error: stderr.text,
  }));
  const lines = () => stdout.text.split('\n').filter((line) => line !== '');
  return {
    out: () => stdout.text,
    error: () => stderr.text,
    lines,
    ended,
    write: (text) => stdin.write(text),
    interrupt: () => {
      stop.abort();
    },
    line: (matches) =>
      until(`a line; there is ${stdout.text}${stderr.text}`, () => lines().find((line) => matches(line))),
  };
}

export const runCommand = (argv: readonly string[], options: CommandOptions = {}): Promise<CommandResult> =>
  startCommand(argv, { input: '', ...options }).ended;
