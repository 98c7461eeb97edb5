import type { Readable, Writable } from 'node:stream';
import { createInterruption } from './interruption.ts';

type Screen = Writable & { isTTY?: boolean; columns?: number };

/** The surroundings of one command; tests run commands with others. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdin: Readable & { isTTY?: boolean };
  readonly stdout: Screen;
  readonly stderr: Screen;
  /** Aborts at Ctrl-C, SIGTERM and SIGHUP. From the first call on, only a second signal ends the process. */
  interrupted(): AbortSignal;
}

interface ProcessTerminal extends Terminal {
  /** Resolves when both outputs are written. */
  flush(): Promise<void>;
}

export function processTerminal(): ProcessTerminal {
  const { stdin, stdout, stderr, env } = process;
  // `tributary events | head -1`: the reader has what it wants.
  stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  let interruption: AbortSignal | undefined;
  return {
    env,
    cwd: process.cwd(),
    stdin,
    stdout,
    stderr,
    interrupted: () =>
      (interruption ??= createInterruption({
        onSignal: (name, listener) => process.on(name, listener),
        now: () => performance.now(),
        exit: (code) => process.exit(code),
      })),
    async flush() {
      await Promise.all([stdout, stderr].map((stream) => new Promise((done) => stream.write('', done))));
    },
  };
}
