import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { LINES, REQUESTS } from './child-request.ts';

/** Reason why the host ended a child. */
export type KillReason = 'timeout' | 'out_of_memory' | 'disk_full' | 'flood' | 'retired';

export interface ChildEnd {
  code: number | null;
  signal: string | null;
  reason: KillReason | undefined;
  /** End of its standard error. */
  stderrEnd: string;
}

/** Hears a process while it serves one request. */
export interface ChildListener {
  onText(text: string): void;
  /** Called once, immediately if the process has already ended. */
  onEnd(end: ChildEnd): void;
}

export interface ChildOptions {
  /** Path of `child.js`. */
  script: string;
  directory: string;
  memoryMb: number;
  env: NodeJS.ProcessEnv;
  runtimeApi: string | undefined;
  /** JSON: host → `host:port` that the child connects to instead. */
  hosts: string;
}

/** V8 prints the reason for an abort at the end. */
const STDERR_LENGTH = 8192;
/** Many times the usual start time: the machine may be busy. */
const LONGEST_START_MS = 20_000;

/**
 * One process that runs the code of one source. It has a session of its own, so that Ctrl-C and signals to the service's group do not reach
 * it.
 */
export class Child {
  readonly directory: string;
  readonly memoryMb: number;
  /** Settles when the process has ended and all its output has been read. */
  readonly ended: Promise<ChildEnd>;
  /** Rejects when the process ends before it is ready. */
  readonly ready: Promise<void>;
  /** Set with the first request; a child never gets another bundle. */
  bundleHash: string | undefined;
  processKey: string | undefined;
  isAlive = true;
  readonly #process: ChildProcess;
  readonly #requests: Socket;
  readonly #lines: Socket;
  #reason: KillReason | undefined;
  #listener: ChildListener | undefined;
  #end: ChildEnd | undefined;

  constructor({ script, directory, memoryMb, env, runtimeApi, hosts }: ChildOptions) {
    this.directory = directory;
    this.memoryMb = memoryMb;
    mkdirSync(this.#path('code'), { recursive: true });
    mkdirSync(this.#path('tmp'));
    this.#process = spawn(
      process.execPath,
      [...flags(script, directory, memoryMb), script, runtimeApi ?? '', hosts],
      {
        cwd: this.#path('tmp'),
        env: { ...env, HOME: this.#path('tmp'), TMPDIR: this.#path('tmp') },
        stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
        detached: true,
      },
    );
    this.#requests = pipe(this.#process.stdio[REQUESTS]);
    this.#lines = pipe(this.#process.stdio[LINES]);
    this.ended = this.#whenEnded();
    this.ready = this.#whenReady();
    // An idle child does not keep the host running. During a job the job's timer does.
    this.#process.unref();
    for (const stream of this.#process.stdio) if (stream instanceof Socket) stream.unref();
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  get bundlePath(): string {
    return join(this.#path('code'), 'bundle.mjs');
  }

  get tmp(): string {
    return this.#path('tmp');
  }

  send(request: string): void {
    this.#requests.write(request);
  }

  /**
   * One listener at a time. It is not a reaction to {@link ended}: a promise keeps its reactions, and with them every request that
   * this process has served, for as long as the process lives.
   */
  listen(listener: ChildListener): void {
    this.#listener = listener;
    if (this.#end) queueMicrotask(() => this.#notifyEnd());
  }

  /** Between requests its text goes nowhere. */
  unlisten(): void {
    this.#listener = undefined;
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

  #path(name: string): string {
    return join(this.directory, name);
  }

  #notifyEnd(): void {
    if (this.#end) this.#listener?.onEnd(this.#end);
  }

  #whenReady(): Promise<void> {
    return new Promise((resolve, reject) => {
      // The first line is `ready`. All later text belongs to a request.
      let first = '';
      this.#lines.setEncoding('utf8');
      this.#lines.on('data', (text: string) => {
        if (first.endsWith('\n')) {
          this.#listener?.onText(text);
          return;
        }
        first += text;
        if (!first.endsWith('\n')) return;
        clearTimeout(late);
        resolve();
      });
      const late = setTimeout(() => this.kill('retired'), LONGEST_START_MS).unref();
      this.ended.then(
        ({ stderrEnd }) => reject(new Error(`A runner process did not start: ${stderrEnd}`)),
        reject,
      );
    });
  }

  #whenEnded(): Promise<ChildEnd> {
    let stderrEnd = '';
    this.#process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderrEnd = (stderrEnd + text).slice(-STDERR_LENGTH);
    });
    // A write after the end of the process fails; `close` reports the end.
    this.#requests.on('error', () => undefined);
    this.#lines.on('error', () => undefined);
    return new Promise((resolve) => {
      const end = (code: number | null, signal: string | null) => {
        this.isAlive = false;
        if (this.#end) return;
        this.#end = { code, signal, reason: this.#reason, stderrEnd };
        resolve(this.#end);
        this.#notifyEnd();
      };
      this.#process.once('exit', () => (this.isAlive = false));
      this.#process.once('close', end);
      this.#process.once('error', (error) => {
        stderrEnd = error.message;
        end(null, null);
      });
    });
  }
}

/** The child may read its own directory and its script and write below `tmp`; programs, workers and add-ons are not allowed. */
function flags(script: string, directory: string, memoryMb: number): string[] {
  const known = process.allowedNodeEnvironmentFlags;
  return [
    // The flag's name until Node 22.13.
    known.has('--permission') ? '--permission' : '--experimental-permission',
    // From Node 25 on the permission model includes the network.
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
