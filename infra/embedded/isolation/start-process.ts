import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { killGroup, type ProcessOptions, socketOf } from '../../../shared/runtime/processes.ts';
import { hostVariable } from '../../../shared/runtime/host-settings.ts';
import { clearUser } from './clear-user.ts';
import { currentRule } from './current-rule.ts';
import { Gateway, GATEWAY_PATH, type GatewayOptions } from './gateway.ts';
import { hasUsers, type Isolation } from './level.ts';
import type { ServicePorts } from './spawner-messages.ts';
import { findProgram, sandboxArguments } from './sandbox.ts';
import { firstInSandbox, nodeInSandbox } from './sandbox-pid.ts';
import type { Users } from './users.ts';

const INFO = 5;
const PIPES = ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] as const;

type Release = () => void | Promise<void>;

interface StartContext {
  isolation: Isolation;
  users: Users;
  /** The ports of the service now. */
  ports: () => ServicePorts;
  /** The account of the process now, and its party. */
  holder: GatewayOptions['holder'];
  /** Shared by all processes. */
  shared: Pick<GatewayOptions, 'names' | 'descriptors'>;
  /** The process as the system numbers it, also for one in a sandbox. */
  onPid: (pid: number) => void;
}

/**
 * A process, and what gives back its user with its files, and its gateway. The directory of the files is the caller's.
 */
export interface StartedProcess {
  child: ChildProcess;
  kill: () => void;
  release: () => Promise<void>;
}

/** Starts a process at the isolation level. Gives everything back when that fails. */
export async function startProcess(options: ProcessOptions, context: StartContext): Promise<StartedProcess> {
  const releases: Release[] = [];
  const release = async () => {
    for (const each of releases.splice(0).reverse()) await each();
  };
  try {
    return { ...(await spawned(options, context, releases)), release };
  } catch (error) {
    await release();
    throw error;
  }
}

async function spawned(
  options: ProcessOptions,
  context: StartContext,
  releases: Release[],
): Promise<Omit<StartedProcess, 'release'>> {
  const { isolation, users, ports, onPid } = context;
  const user = hasUsers(isolation) ? await takeUser(users, options, isolation, releases) : {};
  const gateway = isolation.level === 'sandbox' ? await openGateway(options, context) : undefined;
  if (gateway) releases.push(() => gateway.close());
  const host = { ...ports(), ...(gateway ? { gateway: GATEWAY_PATH } : {}) };
  const settings = {
    cwd: options.cwd,
    env: { ...options.env, ...hostVariable(host) },
    detached: true,
    ...user,
  };
  if (isolation.level !== 'sandbox') {
    const [program = '', ...args] = [...limitOf(options), process.execPath, ...options.args];
    const child = spawn(program, args, { ...settings, stdio: [...PIPES] });
    if (child.pid !== undefined) onPid(child.pid);
    return { child, kill: () => killGroup(child) };
  }
  const sandboxed = sandboxArguments(isolation.sandbox, options, {
    infoFd: INFO,
    gateway: gatewayDirectory(options),
    hasUsers: isolation.hasUsers,
  });
  const [program = '', ...args] = [...limitOf(options), isolation.sandbox.program, ...sandboxed];
  const child = spawn(program, args, { ...settings, stdio: [...PIPES, 'pipe'] });
  const first = firstInSandbox(socketOf(child, INFO));
  void first
    .then((init) => init && nodeInSandbox(init))
    .then((pid) => {
      if (pid !== undefined) onPid(pid);
    });
  return { child, kill: () => void first.then((init) => killSandbox(child, init)) };
}

/**
 * The first process of a sandbox takes all others with it. `bwrap`, whose child it is, takes them too, but not while
 * they start.
 */
function killSandbox(child: ChildProcess, init: number | undefined): void {
  const isRunning = child.exitCode === null && child.signalCode === null;
  if (isRunning && init !== undefined)
    try {
      process.kill(init, 'SIGKILL');
    } catch {
      // It has ended.
    }
  killGroup(child);
}

/** The program of util-linux that sets the limits of a process: Node has no call for it. */
const prlimit = findProgram('prlimit');

/** Refuses the process more memory of its own than that. Virtual memory has no limit: V8 reserves much. */
const limitOf = ({ memoryMb }: ProcessOptions) => (prlimit ? [prlimit, `--data=${memoryMb * 2 ** 20}`] : []);

/**
 * Makes the directories that a process writes those of its operating-system user. The directory around them stays the
 * service's, so that the process cannot put another in their place.
 */
async function takeUser(
  users: Users,
  { owner, temporary, writable }: ProcessOptions,
  { level }: Isolation,
  releases: Release[],
): Promise<{ uid: number; gid: number }> {
  const id = await users.take(owner);
  const inTemporary = writable.filter((each) => each === temporary || each.startsWith(`${temporary}/`));
  const keepsUser = inTemporary.length < writable.length;
  releases.push(() =>
    users.release(
      owner,
      (user, { isUnused }) =>
        // In a sandbox the processes have ended with its first one.
        clearUser({ user, ends: isUnused && level === 'user', directories: inTemporary }),
      { keepsUser },
    ),
  );
  chownSync(temporary, process.getuid?.() ?? 0, id);
  chmodSync(temporary, 0o750);
  for (const directory of writable) {
    chownSync(directory, id, id);
    chmodSync(directory, 0o700);
  }
  return { uid: id, gid: id };
}

const gatewayDirectory = ({ temporary }: ProcessOptions): string => join(temporary, 'gateway');

async function openGateway(options: ProcessOptions, { ports, holder, shared }: StartContext): Promise<Gateway> {
  const directory = gatewayDirectory(options);
  // The process passes through, and its parent directory keeps others out.
  mkdirSync(directory, { recursive: true });
  chmodSync(directory, 0o711);
  const refuses = currentRule(() => ({ ...options.network, ...ports() }));
  return Gateway.open(directory, { ...shared, refuses, holder });
}

/** How a process ended. `bwrap` ends with 128 + the number of the signal that ended the process, as a shell does. */
export function endOf({ level }: Isolation, code: number | null, signal: string | null) {
  const name =
    level === 'sandbox' && code !== null && code > 128
      ? Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0]
      : undefined;
  return name === undefined ? { code, signal } : { code: null, signal: name };
}
