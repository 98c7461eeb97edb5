import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LINES, REQUESTS } from './descriptors.ts';

/** A Node process for untrusted code, and everything of the machine that it may use. */
export interface ProcessOptions {
  /** Two owners never share an operating-system user, where the isolation level has users. */
  owner: string;
  /** Arguments of Node: flags, script, and the arguments of the script. */
  args: readonly string[];
  cwd: string;
  /** The complete environment. */
  env: Readonly<Record<string, string>>;
  /** Files and directories that the process may read. */
  readable: readonly string[];
  /** Directories that the process may change, and no other owner may. */
  writable: readonly string[];
  /** The most memory of its own, where the host's system can hold a process to it. */
  memoryMb: number;
  /** The addresses that it may connect to; see `AddressRule`. */
  network: { allowPrivate: boolean; allowList: readonly string[]; exceptions: readonly string[] };
  /** The directory of this process alone, which is removed after its end. */
  temporary: string;
}

export interface ProcessEnd {
  code: number | null;
  signal: string | null;
}

/** A running process. Requests go to its descriptor 3, and lines come from its descriptor 4, which blocks. */
export interface UntrustedProcess {
  /** Undefined until it is known. */
  readonly pid: number | undefined;
  readonly requests: Socket;
  readonly lines: Socket;
  readonly stderr: Socket;
  /** Settles when the process has ended; its streams may still have data. */
  readonly ended: Promise<ProcessEnd>;
  /** Ends the process and everything that it started. */
  kill(): void;
  /**
   * The process works for this account from now on: limits of the host that count by account count it there. `party`
   * names what of the account it works for, such as a source: parties share the account's limits.
   */
  assign(account: string, party: string): void;
}

export interface Processes {
  /** A new empty directory. The caller removes it; where the host can, it also does when this process is killed. */
  directory(prefix: string): string;
  /** Rejects when the process cannot be started. */
  start(options: ProcessOptions): Promise<UntrustedProcess>;
  /** `endIdle` is called when too many processes run. It ends an idle one and returns true, or returns false. */
  onShortage(endIdle: () => boolean): void;
  /** Removes a directory in which a process may have made many files. */
  remove(directory: string): void;
}

/** The host of the functions may set its own processes, with stronger isolation, on `process`. */
export const PROCESSES = Symbol.for('tributary.processes');

/** The processes of the host of this function, or else direct children of this process. */
export const processesOf = (carrier: object): Processes => {
  const provided: unknown = Reflect.get(carrier, PROCESSES);
  return isProcesses(provided) ? provided : directProcesses();
};

const isProcesses = (value: unknown): value is Processes =>
  typeof value === 'object' && value !== null && 'start' in value && 'directory' in value;

/**
 * Children of this process, with its operating-system user. A Lambda environment needs no more: it serves one tenant.
 */
export function directProcesses(): Processes {
  return {
    directory: (prefix) => realpathSync(mkdtempSync(join(tmpdir(), prefix))),
    async start({ args, cwd, env, temporary }) {
      const child = spawn(process.execPath, args, {
        cwd,
        env,
        stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
        // A session of its own: signals to the service's group do not reach it, and it is ended with everything that it
        // started.
        detached: true,
      });
      const { pid } = await started(child);
      const ended = endOf(child);
      void ended.then(() => remove(temporary));
      child.unref();
      return {
        pid,
        requests: socketOf(child, REQUESTS),
        lines: socketOf(child, LINES),
        stderr: socketOf(child, 2),
        ended,
        kill: () => killGroup(child),
        // One account has the whole machine.
        assign: () => undefined,
      };
    },
    // One tenant at a time needs one process and those that are warm.
    onShortage: () => undefined,
    remove,
  };
}

const remove = (directory: string): void => void rm(directory, { recursive: true, force: true }).catch(() => undefined);

function started(child: ChildProcess): Promise<{ pid: number }> {
  return new Promise((resolve, reject) => {
    const { pid } = child;
    child.once('error', reject);
    if (pid !== undefined) resolve({ pid });
  });
}

const endOf = (child: ChildProcess): Promise<ProcessEnd> =>
  new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));

/** Kills the group while the process is not reaped: its pid cannot belong to another process. */
export function killGroup(child: ChildProcess): void {
  const { pid, exitCode, signalCode } = child;
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}

/** A pipe to a child. It does not keep this process running. */
export function socketOf(child: ChildProcess, descriptor: number): Socket {
  const stream = child.stdio[descriptor];
  if (!(stream instanceof Socket)) throw new Error(`A process has no pipe ${descriptor}.`);
  stream.unref();
  return stream;
}
