import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, realpathSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ProcessEnd,
  type Processes,
  type ProcessOptions,
  type UntrustedProcess,
} from '../../../shared/runtime/processes.ts';
import { LINES, REQUESTS } from '../../../shared/runtime/descriptors.ts';
import { Capacity } from './capacity.ts';
import { IsolationUnavailable, type Level } from './levels.ts';
import type { FromSpawner, ServicePorts, SpawnerSettings, ToSpawner } from './spawner-messages.ts';

/** A process as it comes into being. */
interface Starting {
  readonly streams: Map<number, Socket>;
  pid: number | undefined;
  started: (process: UntrustedProcess) => void;
  failed: (error: Error) => void;
  readonly ended: Promise<ProcessEnd>;
  end: (end: ProcessEnd) => void;
  /** Gives it up. */
  readonly late: NodeJS.Timeout;
}

/** Time in which the spawner ends its processes and removes their files. */
const LONGEST_CLOSE_MS = 5000;
/** Many times the usual time until the pipes of a process arrive: the system may lose one on its way. */
const LONGEST_START_MS = 20_000;
const ENDED = 'The process that starts components has ended.';
/** A spawner that ends sooner has not worked. After that many in a row, the next one waits. */
const SHORT_LIFE_MS = 1_000;
const SHORT_LIVES = 3;
const LOST: ProcessEnd = { code: null, signal: 'SIGKILL' };

/** Starts untrusted processes through the spawner, a process of its own; see `spawner-entry.ts`. */
export class Spawner implements Processes {
  /** The isolation level. Rejects with {@link IsolationUnavailable}. */
  readonly level: Promise<Level>;
  readonly #program: string;
  readonly #settings: SpawnerSettings;
  readonly #processes = new Map<number, Starting>();
  readonly #directories = new Set<string>();
  readonly #capacity: Capacity;
  readonly #longestStartMs: number;
  #child: ChildProcess;
  #ports: ServicePorts = { ownPorts: [], openPorts: [] };
  #count = 0;
  #isClosed = false;
  #forkedAt = 0;
  #shortLives = 0;
  #ready: (level: Level) => void = () => undefined;
  #unavailable: (error: Error) => void = () => undefined;

  constructor(
    program: string,
    settings: SpawnerSettings,
    capacity = new Capacity(),
    longestStartMs = LONGEST_START_MS,
  ) {
    this.#capacity = capacity;
    this.#longestStartMs = longestStartMs;
    this.#program = program;
    this.#settings = settings;
    this.level = new Promise((resolve, reject) => {
      this.#ready = resolve;
      this.#unavailable = reject;
    });
    this.level.catch(() => undefined);
    this.#child = this.#fork();
  }

  /** Ports of the service on this machine: no process may reach `ownPorts`, and every one may reach `openPorts`. */
  setPorts(ports: ServicePorts): void {
    this.#ports = ports;
    this.#send({ kind: 'ports', ports });
  }

  directory(prefix: string): string {
    const path = realpathSync(mkdtempSync(join(tmpdir(), prefix)));
    this.#directories.add(path);
    this.#send({ kind: 'directory', path });
    return path;
  }

  remove(path: string): void {
    this.#directories.delete(path);
    this.#send({ kind: 'remove', path });
  }

  onShortage(endIdle: () => boolean): void {
    this.#capacity.onShortage(endIdle);
  }

  async start(options: ProcessOptions): Promise<UntrustedProcess> {
    await this.#capacity.take();
    const id = (this.#count += 1);
    return new Promise((resolve, reject) => {
      if (this.#isClosed || !this.#child.connected) {
        this.#capacity.release();
        return reject(new Error(this.#isClosed ? 'The service is stopping.' : ENDED));
      }
      let end: Starting['end'] = () => undefined;
      const ended = new Promise<ProcessEnd>((settle) => (end = settle));
      const late = setTimeout(() => this.#giveUp(id), this.#longestStartMs).unref();
      const starting = {
        streams: new Map(),
        pid: undefined,
        started: resolve,
        failed: reject,
        ended,
        end,
        late,
      };
      this.#processes.set(id, starting);
      this.#send({ kind: 'start', id, options });
    });
  }

  /** Ends all processes, and waits until their files are removed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.ref();
    this.#child.stdin?.end();
    const late = setTimeout(() => this.#child.kill('SIGKILL'), LONGEST_CLOSE_MS);
    await ended;
    clearTimeout(late);
  }

  #send(message: ToSpawner): void {
    if (this.#child.connected) this.#child.send(message);
  }

  #fork(): ChildProcess {
    this.#forkedAt = performance.now();
    const child = fork(this.#program, [JSON.stringify(this.#settings)], {
      // A session of its own, so that Ctrl-C and signals to the group of the service do not reach it.
      detached: true,
      cwd: '/',
      env: {
        PATH: process.env['PATH'] ?? '',
        TMPDIR: tmpdir(),
        // The gateways of all sandboxes resolve names in it.
        UV_THREADPOOL_SIZE: '64',
      },
      execArgv: [],
      // The end of its standard input tells it the end of the service.
      stdio: ['pipe', 'ignore', 'inherit', 'ipc'],
    });
    child.unref();
    if (child.stdin instanceof Socket) child.stdin.unref();
    child.channel?.unref();
    child.on('message', (message, handle) => this.#take(message as FromSpawner, handle));
    child.on('error', () => undefined);
    child.once('exit', () => this.#lost());
    return child;
  }

  /** The spawner was killed: its processes are lost, and a new one takes its place. */
  #lost(): void {
    for (const [id, starting] of this.#processes) {
      this.#lose(id, starting, ENDED);
      killOrphan(starting.pid);
    }
    this.#unavailable(new IsolationUnavailable(ENDED));
    this.#shortLives = performance.now() - this.#forkedAt < SHORT_LIFE_MS ? this.#shortLives + 1 : 0;
    // Without its file, for example, it would take a core.
    if (this.#shortLives > SHORT_LIVES) setTimeout(() => this.#forkAgain(), SHORT_LIFE_MS).unref();
    else this.#forkAgain();
  }

  #forkAgain(): void {
    if (this.#isClosed) return;
    this.#child = this.#fork();
    this.#send({ kind: 'ports', ports: this.#ports });
    for (const path of this.#directories) this.#send({ kind: 'directory', path });
  }

  #take(message: FromSpawner, handle: unknown): void {
    switch (message.kind) {
      case 'ready':
        this.#ready(message.level);
        return;
      case 'unavailable':
        this.#unavailable(new IsolationUnavailable(message.message));
        return;
      case 'stream':
        this.#connect(message.id, message.descriptor, handle);
        return;
    }
    const starting = this.#processes.get(message.id);
    if (!starting) return;
    switch (message.kind) {
      case 'pid':
        starting.pid = message.pid;
        return;
      case 'failed':
        this.#forget(message.id, starting);
        starting.failed(new Error(message.message));
        return;
      case 'ended':
        this.#forget(message.id, starting);
        starting.failed(new Error('The process ended before it was ready.'));
        starting.end({ code: message.code, signal: message.signal });
    }
  }

  #giveUp(id: number): void {
    const starting = this.#processes.get(id);
    if (!starting) return;
    this.#send({ kind: 'kill', id });
    this.#lose(id, starting, 'The process was not ready in time.');
  }

  #lose(id: number, starting: Starting, why: string): void {
    this.#forget(id, starting);
    starting.failed(new Error(why));
    starting.end(LOST);
    for (const stream of starting.streams.values()) stream.destroy();
  }

  #forget(id: number, { late }: Starting): void {
    clearTimeout(late);
    this.#processes.delete(id);
    this.#capacity.release();
  }

  #connect(id: number, descriptor: number, handle: unknown): void {
    const starting = this.#processes.get(id);
    if (!(handle instanceof Socket)) return;
    if (!starting) {
      handle.destroy();
      return;
    }
    handle.unref();
    starting.streams.set(descriptor, handle);
    const [stderr, requests, lines] = [2, REQUESTS, LINES].map((each) => starting.streams.get(each));
    if (!stderr || !requests || !lines) return;
    clearTimeout(starting.late);
    starting.started({
      get pid() {
        return starting.pid;
      },
      stderr,
      requests,
      lines,
      ended: starting.ended,
      kill: () => this.#send({ kind: 'kill', id }),
      assign: (account, party) => this.#send({ kind: 'account', id, account, party }),
    });
  }
}

/** In the sandbox the process has ended with the spawner. */
function killOrphan(pid: number | undefined): void {
  for (const target of pid === undefined ? [] : [-pid, pid]) {
    try {
      process.kill(target, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}
