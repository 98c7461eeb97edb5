import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { killGroup, type ProcessOptions, socketOf } from '../../../shared/lambda/processes.ts';
import { isDict, isFunction } from '../../../shared/runtime/guards.ts';
import { hostVariable } from '../../../shared/runtime/host-settings.ts';
import { LINES, REQUESTS } from '../../../shared/runtime/descriptors.ts';
import { currentRule } from './current-rule.ts';
import { Gateway, GATEWAY_PATH } from './gateway.ts';
import { closeInheritedFiles } from './inherited-files.ts';
import { chooseIsolation, type Isolation } from './level.ts';
import { IsolationUnavailable, type Level } from './levels.ts';
import { sandboxArguments } from './sandbox.ts';
import { pidInSandbox } from './sandbox-pid.ts';
import { killProcessesOf } from './user-processes.ts';
import type { FromSpawner, SpawnerSettings, ToSpawner } from './spawner-messages.ts';
import { Users } from './users.ts';

/**
 * The program that starts every process for untrusted code. It has neither the store nor a secret, so its processes cannot inherit them;
 * it ends all of them, and removes their files, when the service ends, however it ends.
 */
closeInheritedFiles();
// Without a listener, SIGUSR1 opens the inspector.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR1'] as const) process.on(signal, () => undefined);

const INFO = 5;
const users = new Users();
const running = new Map<number, ChildProcess>();
const directories = new Set<string>();
let ownPorts: readonly number[] = [];
let level: Level | undefined;
const isolation = readIsolation();

const send = (message: FromSpawner, socket?: ReturnType<typeof socketOf>) => {
  if (process.connected) process.send?.(message, socket);
};

async function readIsolation(): Promise<Isolation | undefined> {
  const { asked } = JSON.parse(process.argv[2] ?? '{}') as SpawnerSettings;
  try {
    const chosen = await chooseIsolation(asked);
    level = chosen.level;
    send({ kind: 'ready', level });
    return chosen;
  } catch (error) {
    if (!(error instanceof IsolationUnavailable)) throw error;
    send({ kind: 'unavailable', message: error.message });
    return undefined;
  }
}

process.on('message', (message) => take(message as ToSpawner));
process.on('disconnect', () => {
  for (const child of running.values()) killGroup(child);
  if (level === 'user') killProcessesOf(users.all);
  for (const path of directories) rmSync(path, { recursive: true, force: true });
  process.exit();
});

function take(message: ToSpawner): void {
  switch (message.kind) {
    case 'start':
      void start(message.id, message.options).catch((error: unknown) => {
        send({
          kind: 'failed',
          id: message.id,
          message: error instanceof Error ? error.message : String(error),
        });
      });
      return;
    case 'kill': {
      const child = running.get(message.id);
      if (child) killGroup(child);
      return;
    }
    case 'ports':
      ownPorts = message.ports;
      return;
    case 'directory':
      directories.add(message.path);
      return;
    case 'remove':
      remove(message.path);
  }
}

async function start(id: number, options: ProcessOptions): Promise<void> {
  const chosen = await isolation;
  if (!chosen) throw new Error('The isolation level is not available.');
  const gateway = chosen.level === 'sandbox' ? await gatewayOf(options) : undefined;
  const host = { ownPorts, ...(gateway ? { gateway: GATEWAY_PATH } : {}) };
  const spawned = {
    cwd: options.cwd,
    env: { ...options.env, ...hostVariable(host) },
    detached: true,
  };
  const pipes = ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] as const;
  const user = hasUsers(chosen) ? own(options) : {};
  let child: ChildProcess;
  if (chosen.level === 'sandbox') {
    const args = sandboxArguments(chosen.sandbox, options, {
      infoFd: INFO,
      gateway: gatewayDirectory(options),
      hasUsers: chosen.hasUsers,
    });
    child = spawn(chosen.sandbox.program, args, { ...spawned, ...user, stdio: [...pipes, 'pipe'] });
    void pidInSandbox(socketOf(child, INFO)).then((pid) => {
      if (pid !== undefined) send({ kind: 'pid', id, pid });
    });
  } else {
    child = spawn(process.execPath, options.args, { ...spawned, ...user, stdio: [...pipes] });
    if (child.pid !== undefined) send({ kind: 'pid', id, pid: child.pid });
  }
  running.set(id, child);
  const release = () => {
    if (!running.delete(id)) return;
    gateway?.close();
    const unused = users.release(options.owner, { keepsUser: leavesFiles(options) });
    // In a sandbox they have ended with its first process.
    if (unused !== undefined && chosen.level === 'user') killProcessesOf([unused]);
    remove(options.temporary);
  };
  child.once('error', ({ message }) => {
    release();
    send({ kind: 'failed', id, message });
  });
  child.once('exit', (code, signal) => {
    // The group may have members left.
    send({ kind: 'ended', id, ...endOf(chosen, code, signal) });
    release();
  });
  if (child.pid === undefined) return;
  for (const descriptor of [2, REQUESTS, LINES])
    send({ kind: 'stream', id, descriptor }, unread(socketOf(child, descriptor)));
}

/** A new socket reads at once, and bytes that it read before it is sent would be lost to the service. */
function unread(socket: Socket): Socket {
  const handle: unknown = Reflect.get(socket, '_handle');
  if (!isDict(handle) || !isFunction(handle['readStop']))
    throw new Error('A pipe of a process has no handle.');
  handle['readStop']();
  handle['reading'] = false;
  return socket;
}

/** `bwrap` ends with 128 + the number of the signal that ended the process, as a shell does. */
function endOf({ level }: Isolation, code: number | null, signal: string | null) {
  const name =
    level === 'sandbox' && code !== null && code > 128
      ? Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0]
      : undefined;
  return name === undefined ? { code, signal } : { code: null, signal: name };
}

const hasUsers = (isolation: Isolation): boolean =>
  isolation.level === 'user' || (isolation.level === 'sandbox' && isolation.hasUsers);

const gatewayDirectory = ({ temporary }: ProcessOptions): string => join(temporary, 'gateway');

async function gatewayOf(options: ProcessOptions): Promise<Gateway> {
  const directory = gatewayDirectory(options);
  // The process passes through, and its parent directory keeps others out.
  mkdirSync(directory, { recursive: true });
  chmodSync(directory, 0o711);
  return Gateway.open(
    directory,
    currentRule(() => ({ ...options.network, ownPorts })),
  );
}

/** Makes the directories of a process those of its operating-system user. */
function own({ owner, temporary, writable }: ProcessOptions): { uid: number; gid: number } {
  const id = users.take(owner);
  // Users may pass through, and read nothing.
  chmodSync(dirname(temporary), 0o711);
  for (const directory of [temporary, ...writable]) {
    chownSync(directory, id, id);
    chmodSync(directory, 0o700);
  }
  return { uid: id, gid: id };
}

const leavesFiles = ({ writable, temporary }: ProcessOptions): boolean =>
  writable.some((directory) => directory !== temporary && !directory.startsWith(`${temporary}/`));

function remove(path: string): void {
  void rm(path, { recursive: true, force: true, maxRetries: 3 }).then(
    () => directories.delete(path),
    () => undefined,
  );
}
