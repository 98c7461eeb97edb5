import { chmodSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { dirname } from 'node:path';
import { killGroup, type ProcessOptions, socketOf } from '../../../shared/runtime/processes.ts';
import { LINES, REQUESTS } from '../../../shared/runtime/descriptors.ts';
import { isDict, isFunction } from '../../../shared/runtime/guards.ts';
import { clearUser, clearUserNow } from './clear-user.ts';
import type { LookupParty } from '../../../shared/dns/lookup-permits.ts';
import { Names } from '../../../shared/dns/resolve-names.ts';
import { processLimit } from './capacity.ts';
import { DescriptorBudget, gatewayDescriptors } from './descriptor-budget.ts';
import { closeInheritedFiles } from './inherited-files.ts';
import { chooseIsolation, hasUsers, type Isolation } from './level.ts';
import { IsolationUnavailable } from './levels.ts';
import type { FromSpawner, ServicePorts, SpawnerSettings, ToSpawner } from './spawner-messages.ts';
import { removeOwn, sharedDirectories } from './shared-directories.ts';
import { endOf, startProcess, type StartedProcess } from './start-process.ts';
import { Users } from './users.ts';

/**
 * The program that starts every process for untrusted code. It has neither the store nor a secret, so its processes
 * cannot inherit them; it ends all of them, and removes their files, when the service ends, however it ends.
 */
closeInheritedFiles();
// Without a listener, SIGUSR1 opens the inspector.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR1'] as const) process.on(signal, () => undefined);

/** Tries to remove directories at the end, and the time between two. */
const ATTEMPTS_AT_END = 5;
const PAUSE_MS = 100;
/** Descriptors of the connections of one account: as many as one process may have. */
const MAX_DESCRIPTORS = 2_048;

const users = new Users();
const running = new Map<number, StartedProcess>();
/** Accounts of running processes. */
const accounts = new Map<number, LookupParty>();
const shared = {
  names: new Names(),
  descriptors: new DescriptorBudget(gatewayDescriptors(processLimit()), MAX_DESCRIPTORS),
};
const directories = new Set<string>();
let ports: ServicePorts = { ownPorts: [], openPorts: [] };
/** Set when it is chosen. */
let chosen: Isolation | undefined;
const isolation = readIsolation();

const send = (message: FromSpawner, socket?: ReturnType<typeof socketOf>) => {
  if (!process.connected) return;
  process.send?.(message, socket, undefined, (error) => {
    if (error) leave();
  });
};
/** A process that is just being started is known by then. */
const leave = () => setImmediate(() => process.exit());

async function readIsolation(): Promise<Isolation | undefined> {
  const { asked } = JSON.parse(process.argv[2] ?? '{}') as SpawnerSettings;
  try {
    chosen = await chooseIsolation(asked);
    send({ kind: 'ready', level: chosen.level });
    return chosen;
  } catch (error) {
    if (!(error instanceof IsolationUnavailable)) throw error;
    send({ kind: 'unavailable', message: error.message });
    return undefined;
  }
}

process.on('message', (message) => take(message as ToSpawner));
// The end of the service also closes the channel, but Node reports this only after a pipe that is sent to the service
// is acknowledged.
process.stdin.on('end', leave).on('error', leave).resume();
// Also when this program fails.
process.on('exit', () => {
  for (const { child } of running.values()) killGroup(child);
  if (chosen && hasUsers(chosen)) clearNow(chosen);
  else for (const path of directories) removeNow(path);
});

function take(message: ToSpawner): void {
  switch (message.kind) {
    case 'start':
      void start(message.id, message.options).catch((error: unknown) => {
        remove(message.options.temporary);
        send({
          kind: 'failed',
          id: message.id,
          message: error instanceof Error ? error.message : String(error),
        });
      });
      return;
    case 'kill':
      running.get(message.id)?.kill();
      return;
    case 'account':
      if (running.has(message.id)) accounts.set(message.id, { owner: message.account, party: message.party });
      return;
    case 'ports':
      ports = message.ports;
      return;
    case 'directory':
      directories.add(message.path);
      return;
    case 'remove':
      remove(message.path);
  }
}

async function start(id: number, options: ProcessOptions): Promise<void> {
  const level = await isolation;
  if (!level) throw new Error('The isolation level is not available.');
  if (hasUsers(level)) letUsersPass(dirname(options.temporary));
  const started = await startProcess(options, {
    isolation: level,
    users,
    ports: () => ports,
    holder: () => accounts.get(id) ?? { owner: options.owner, party: options.owner },
    shared,
    onPid: (pid) => send({ kind: 'pid', id, pid }),
  });
  const { child } = started;
  const release = () => {
    if (!running.delete(id)) return;
    accounts.delete(id);
    void started.release().then(() => remove(options.temporary));
  };
  running.set(id, started);
  child.once('error', ({ message }) => {
    release();
    send({ kind: 'failed', id, message });
  });
  child.once('exit', (code, signal) => {
    // The group may have members left.
    send({ kind: 'ended', id, ...endOf(level, code, signal) });
    release();
  });
  if (child.pid === undefined) return;
  for (const descriptor of [2, REQUESTS, LINES])
    send({ kind: 'stream', id, descriptor }, unread(socketOf(child, descriptor)));
}

/**
 * Users may pass through the service's own directories, and read nothing. The mode of another directory is not the
 * service's to change.
 */
function letUsersPass(directory: string): void {
  if (directories.has(directory)) chmodSync(directory, 0o711);
}

/** A new socket reads at once, and bytes that it read before it is sent would be lost to the service. */
function unread(socket: Socket): Socket {
  const handle: unknown = Reflect.get(socket, '_handle');
  if (!isDict(handle) || !isFunction(handle['readStop'])) throw new Error('A pipe of a process has no handle.');
  handle['readStop']();
  handle['reading'] = false;
  return socket;
}

/** Ends every user, and removes all directories. Processes that are about to end may still write. */
function clearNow({ level }: Isolation): void {
  for (let attempt = 0; attempt < ATTEMPTS_AT_END; attempt += 1) {
    const shared = [...directories].flatMap((path) => sharedDirectories(path));
    for (const user of users.all) {
      const own = shared.filter((each) => each.user === user).map(({ path }) => path);
      if (own.length > 0 || level === 'user') clearUserNow({ user, ends: level === 'user', directories: own });
    }
    for (const path of directories) if (tries(() => removeOwn(path))) directories.delete(path);
    if (directories.size === 0) return;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
}

/** A process that is about to end may still write. */
const removeNow = (path: string): boolean => tries(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }));

/** The other directories go all the same. */
function tries(remove: () => void): boolean {
  try {
    remove();
    return true;
  } catch {
    return false;
  }
}

function remove(path: string): void {
  const removed =
    chosen && hasUsers(chosen) ? removeShared(path) : rm(path, { recursive: true, force: true, maxRetries: 3 });
  void removed.then(
    () => directories.delete(path),
    () => undefined,
  );
}

/** Each user empties its own directories. */
async function removeShared(path: string): Promise<void> {
  for (const { path: directory, user } of sharedDirectories(path))
    await clearUser({ user, ends: false, directories: [directory] });
  removeOwn(path);
}
