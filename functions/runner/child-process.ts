import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { LINES, REQUESTS } from './child-request.ts';

/** Why the host ended a child. */
export type KillReason = 'timeout' | 'out_of_memory' | 'disk_full' | 'flood' | 'retired';

export interface ChildEnd {
  code: number | null;
  signal: string | null;
  reason: KillReason | undefined;
  /** The last of what it wrote on its standard error. */
  lastWords: string;
}

export interface ChildOptions {
  /** Path of `child.js`. */
  script: string;
  directory: string;
  memoryMb: number;
  env: NodeJS.ProcessEnv;
  runtimeApi: string | undefined;
  /** JSON: host → `host:port` that is connected to instead. */
  hosts: string;
}

/** A child is kept small: what V8 prints when it dies comes last. */
const LAST_WORDS = 8192;
/** Many times what it takes; a machine may be busy. */
const LONGEST_START_MS = 20_000;

/**
 * One process that runs the code of one source. It is in a session of its own, so that Ctrl-C and signals to the service's
 * group do not reach it.
 */
export class Child {
  readonly directory: string;
  readonly memoryMb: number;
  /** Settles when it has ended and everything it wrote has been read. */
  readonly ended: Promise<ChildEnd>;
  /** Rejects when it ended before it was ready. */
  readonly ready: Promise<void>;
  /** What it serves, once it has been given a bundle; it is never given another. */
  bundleHash: string | undefined;
  processKey: string | undefined;
  /** Where lines go; between requests nowhere. */
  onText: ((text: string) => void) | undefined;
  isAlive = true;
  readonly #process: ChildProcess;
  readonly #requests: Socket;
  readonly #lines: Socket;
  #reason: KillReason | undefined;

  constructor({ script, directory, memoryMb, env, runtimeApi, hosts }: ChildOptions) {
    this.directory = directory;
    this.memoryMb = memoryMb;
    mkdirSync(this.#place('code'), { recursive: true });
    mkdirSync(this.#place('tmp'));
    this.#process = spawn(
      process.execPath,
      [...flags(script, directory, memoryMb), script, runtimeApi ?? '', hosts],
      {
        cwd: this.#place('tmp'),
        env: { ...env, HOME: this.#place('tmp'), TMPDIR: this.#place('tmp') },
        stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
        detached: true,
      },
    );
    this.#requests = pipe(this.#process.stdio[REQUESTS]);
    this.#lines = pipe(this.#process.stdio[LINES]);
    this.ended = this.#watchEnd();
    this.ready = this.#watchReady();
    // An idle child keeps nobody running; while it works, the timer of its job does.
    this.#process.unref();
    for (const stream of this.#process.stdio) if (stream instanceof Socket) stream.unref();
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  get bundlePath(): string {
    return join(this.#place('code'), 'bundle.mjs');
  }

  get tmp(): string {
    return this.#place('tmp');
  }

  send(line: string): void {
    this.#requests.write(line);
  }

  pause(): void {
    this.#lines.pause();
  }

  resume(): void {
    this.#lines.resume();
  }

  kill(reason: KillReason): void {
    this.#reason ??= reason;
    this.#process.kill('SIGKILL');
    this.resume();
  }

  #place(name: string): string {
    return join(this.directory, name);
  }

  #watchReady(): Promise<void> {
    return new Promise((resolve, reject) => {
      // The first line says that it is ready; everything after it belongs to a request.
      let first = '';
      this.#lines.setEncoding('utf8');
      this.#lines.on('data', (text: string) => {
        if (first.endsWith('\n')) {
          this.onText?.(text);
          return;
        }
        first += text;
        if (!first.endsWith('\n')) return;
        clearTimeout(late);
        resolve();
      });
      const late = setTimeout(() => this.kill('retired'), LONGEST_START_MS).unref();
      this.ended.then(
        ({ lastWords }) => reject(new Error(`A runner process did not start: ${lastWords}`)),
        reject,
      );
    });
  }

  #watchEnd(): Promise<ChildEnd> {
    let lastWords = '';
    this.#process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      lastWords = (lastWords + text).slice(-LAST_WORDS);
    });
    // A write after its end: `close` tells.
    this.#requests.on('error', () => undefined);
    this.#lines.on('error', () => undefined);
    return new Promise((resolve) => {
      const end = (code: number | null, signal: string | null) => {
        this.isAlive = false;
        resolve({ code, signal, reason: this.#reason, lastWords });
      };
      this.#process.once('exit', () => (this.isAlive = false));
      this.#process.once('close', end);
      this.#process.once('error', (error) => {
        lastWords = error.message;
        end(null, null);
      });
    });
  }
}

/** Reads its own directory and its script, writes below `tmp`, and nothing else: no programs, workers or add-ons. */
function flags(script: string, directory: string, memoryMb: number): string[] {
  const known = process.allowedNodeEnvironmentFlags;
  return [
    // Its name until Node 22.13.
    known.has('--permission') ? '--permission' : '--experimental-permission',
    // From Node 25 on the network is part of the permissions.
    ...(known.has('--allow-net') ? ['--allow-net'] : []),
    `--allow-fs-read=${script}`,
    `--allow-fs-read=${directory}/*`,
    `--allow-fs-write=${directory}/tmp/*`,
    `--max-old-space-size=${memoryMb}`,
    '--no-warnings',
  ];
}

function pipe(stream: unknown): Socket {
  if (stream instanceof Socket) return stream;
  throw new Error('A runner process has no pipe to the host.');
}
