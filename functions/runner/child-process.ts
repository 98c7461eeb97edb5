import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { cutEnd } from '../../shared/lib/cut.ts';
import { ChildLines } from './child-lines.ts';
import type { ChildSettings } from './child-settings.ts';
import { LateReports, type SendReport } from './late-reports.ts';
import { afterRunning } from './running-timer.ts';
import type { ProcessEnd, Processes, ProcessOptions, UntrustedProcess } from '../../shared/runtime/processes.ts';

/** Reason why the host ended a child. */
export type KillReason = 'timeout' | 'out_of_memory' | 'disk_full' | 'flood' | 'retired';

export interface ChildEnd extends ProcessEnd {
  reason: KillReason | undefined;
  /** End of its standard error. */
  stderrEnd: string;
}

/** Hears a process while it serves one request. */
export interface ChildListener {
  onOutput(chunk: Buffer): void;
  /** Called once, immediately if the process has already ended. */
  onEnd(end: ChildEnd): void;
}

export interface ChildOptions {
  processes: Processes;
  /** Path of `child.js`. */
  script: string;
  directory: string;
  memoryMb: number;
  env: Readonly<Record<string, string>>;
  settings: ChildSettings;
  sendReport?: SendReport | undefined;
}

/** A process that prints more there during one request is ended. The console of a component does not print there. */
const MAX_STDERR_BYTES = 16 * 1024 * 1024;
/** V8 prints the reason for an abort at the end. */
const STDERR_BYTES = 8192;
/** Characters of it in the error of a process that did not start. */
const LONGEST_CAUSE = 500;
/** The default of Node 20. Later versions take up to four times as much, which counts towards the memory of a run. */
const SEMI_SPACE_MB = 16;
/** Memory beyond the limit that a process may take until the host reads it again. Node 24 counts 510 MB for code. */
const LONGEST_STEP_MB = 1024;
/** Many times the usual start time: the machine may be busy. */
const LONGEST_START_MS = 20_000;

/** One process that runs the code of one source. */
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
  readonly lines = new ChildLines();
  readonly lateReports: LateReports;
  #process: UntrustedProcess | undefined;
  #isReady: () => void = () => undefined;
  #reason: KillReason | undefined;
  #listener: ChildListener | undefined;
  #end: ChildEnd | undefined;
  /** Bytes on its standard error since its request began. */
  #printed = 0;

  constructor(options: ChildOptions) {
    this.directory = options.directory;
    this.memoryMb = options.memoryMb;
    this.lateReports = new LateReports(options.sendReport);
    // The host writes the code, and the process may only read it.
    mkdirSync(this.#path('code'), { recursive: true });
    // The umask of the service would keep other users out.
    chmodSync(this.#path('code'), 0o755);
    mkdirSync(this.tmp, { mode: 0o700 });
    const isReady = new Promise<void>((resolve) => (this.#isReady = resolve));
    this.ended = this.#run(options);
    this.ready = Promise.race([
      isReady,
      this.ended.then((end) => {
        throw new Error(`A runner process did not start: ${causeOf(end)}`);
      }),
    ]);
  }

  /** Known as soon as the process is ready. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  get bundlePath(): string {
    return join(this.#path('code'), 'bundle.mjs');
  }

  get tmp(): string {
    return this.#path('tmp');
  }

  /** Sends the pieces of a request together. */
  send(request: readonly string[]): void {
    const requests = this.#process?.requests;
    requests?.cork();
    for (const piece of request) requests?.write(piece);
    requests?.uncork();
  }

  /**
   * One listener at a time. It is not a reaction to {@link ended}: a promise keeps its reactions, and with them every
   * request that this process has served, for as long as the process lives.
   */
  listen(listener: ChildListener): void {
    this.#printed = 0;
    this.#listener = listener;
    if (this.#end) queueMicrotask(() => this.#notifyEnd());
  }

  /** Between requests its output is about late work. */
  unlisten(): void {
    this.#listener = undefined;
  }

  pause(): void {
    this.#process?.lines.pause();
  }

  resume(): void {
    this.#process?.lines.resume();
  }

  /** The account of the first request, and its source. */
  assign(account: string, party: string): void {
    this.#process?.assign(account, party);
  }

  kill(reason: KillReason): void {
    this.#reason ??= reason;
    // No request gets a process that is about to end.
    this.isAlive = false;
    this.#process?.kill();
    this.resume();
  }

  #path(name: string): string {
    return join(this.directory, name);
  }

  #notifyEnd(): void {
    if (this.#end) this.#listener?.onEnd(this.#end);
  }

  async #run(options: ChildOptions): Promise<ChildEnd> {
    let end: Omit<ChildEnd, 'reason'>;
    try {
      this.#process = await options.processes.start(processOptions(options, this));
      end = await this.#outcome(this.#process);
    } catch (error) {
      end = { code: null, signal: null, stderrEnd: error instanceof Error ? error.message : String(error) };
    }
    this.isAlive = false;
    this.lateReports.flush();
    this.#end = { ...end, reason: this.#reason };
    this.#notifyEnd();
    return this.#end;
  }

  async #outcome(started: UntrustedProcess): Promise<Omit<ChildEnd, 'reason'>> {
    if (this.#reason !== undefined) started.kill();
    const { requests, lines, stderr } = started;
    let stderrEnd = Buffer.alloc(0);
    stderr.on('data', (chunk: Buffer) => {
      // Not decoded before the end, and not kept with the rest of the chunk.
      stderrEnd = Buffer.concat([stderrEnd, chunk.subarray(-STDERR_BYTES)]).subarray(-STDERR_BYTES);
      this.#printed += chunk.length;
      if (this.#printed > MAX_STDERR_BYTES) this.kill('flood');
    });
    this.#read(lines);
    const closed = [lines, stderr].map(
      (stream) => new Promise<void>((resolve) => stream.once('close', () => resolve())),
    );
    // A write after the end of the process fails; `ended` reports the end.
    for (const stream of [requests, lines, stderr]) stream.on('error', () => undefined);
    const { code, signal } = await started.ended;
    this.isAlive = false;
    lines.resume();
    await Promise.all(closed);
    requests.destroy();
    return { code, signal, stderrEnd: stderrEnd.toString('utf8') };
  }

  /** The first line is `ready`. All later output belongs to a request. */
  #read(lines: UntrustedProcess['lines']): void {
    let first = '';
    const stop = afterRunning(LONGEST_START_MS, () => this.kill('retired'));
    lines.on('data', (chunk: Buffer) => {
      if (first.endsWith('\n')) {
        if (this.#listener) this.#listener.onOutput(chunk);
        else if (!this.lateReports.read(this.lines, chunk)) this.kill('flood');
        return;
      }
      first += chunk.toString('latin1');
      if (!first.endsWith('\n')) return;
      stop();
      this.#isReady();
    });
    lines.once('close', stop);
  }
}

function causeOf({ code, signal, stderrEnd, reason }: ChildEnd): string {
  const how = signal === null ? `exit code ${code}` : signal;
  return [reason ?? how, cutEnd(stderrEnd.trim(), LONGEST_CAUSE)].filter((part) => part !== '').join(': ');
}

function processOptions({ script, directory, memoryMb, env, settings }: ChildOptions, { tmp }: Child): ProcessOptions {
  return {
    owner: directory,
    args: [...flags(script, directory, memoryMb), script, JSON.stringify(settings)],
    cwd: tmp,
    env: { ...env, HOME: tmp, TMPDIR: tmp },
    readable: [script, join(directory, 'code')],
    writable: [tmp],
    memoryMb: memoryMb + LONGEST_STEP_MB,
    network: { ...settings.network, exceptions: Object.values(settings.hosts) },
    temporary: directory,
  };
}

/**
 * The child may read its own directory and its script and write below `tmp`; programs, workers and add-ons are not
 * allowed.
 */
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
    `--max-semi-space-size=${SEMI_SPACE_MB}`,
    '--no-warnings',
  ];
}
