import { spawn, type SpawnOptions, spawnSync } from 'node:child_process';
import { rmdirSync } from 'node:fs';
import { USERS } from './level.ts';
import { hasProcesses } from './user-processes.ts';

interface Clearing {
  /** A user id of {@link USERS}. */
  user: number;
  /** Ends all processes of the user. */
  ends: boolean;
  /** They are emptied, and removed where the user may do so. */
  directories: readonly string[];
}

interface Command {
  program: string;
  args: readonly string[];
  options: SpawnOptions;
}

/**
 * A process of the user may end or stop the one that clears it. About one in six attempts wins against a loop of
 * signals, in 25 ms each. An attempt that is stopped takes its longest time, and then there are no more than these.
 */
const ATTEMPTS = 10;
const QUICK_ATTEMPTS = 100;
const LONGEST_MS = 30_000;
/** The service waits for the end of the spawner. */
const LONGEST_AT_END_MS = 2000;

/**
 * A signal to `-1` reaches every process that its sender may signal but the sender, in one step: a chain of processes
 * that start each other cannot get ahead of it. The modes of directories may keep their own user out.
 */
const SHELL = `[ "$1" = ends ] && kill -9 -1; shift
[ $# -eq 0 ] && exit 0
rm -rf -- "$@"; chmod -R u+rwx -- "$@"; rm -rf -- "$@"; exit 0`;

/**
 * The same without a shell. It changes its user only just before the signal, so a process of the user has hardly any
 * time to end it. The first call of each function takes longest, so they are called before.
 */
const NODE = `const [user, ends, ...directories] = process.argv.slice(1);
for (let n = 0; n < 100; n += 1) { process.setuid(0); process.getuid(); process.geteuid(); process.kill(process.pid, 0); }
process.setgroups([]); process.setgid(+user); process.setuid(+user);
if (process.getuid() !== +user || process.geteuid() !== +user) process.exit(1);
if (ends === 'ends') try { process.kill(-1, 'SIGKILL'); } catch {}
for (const each of directories) try { fs.rmSync(each, { recursive: true, force: true }); } catch {}`;

/**
 * Ends the processes of an operating-system user and empties its directories, as that user: root could be led elsewhere
 * by a directory that becomes a link. False if a process may be left.
 */
export async function clearUser(clearing: Clearing): Promise<boolean> {
  const left = withoutEmpty(clearing);
  if (isNothing(left)) return true;
  for (const attempt of attempts(LONGEST_MS))
    if (isCleared(left, await exitCode(commandOf(left, attempt, LONGEST_MS)))) return true;
  return false;
}

/** The same at the end of this process. */
export function clearUserNow(clearing: Clearing): boolean {
  const left = withoutEmpty(clearing);
  if (isNothing(left)) return true;
  for (const attempt of attempts(LONGEST_AT_END_MS)) {
    const { program, args, options } = commandOf(left, attempt, LONGEST_AT_END_MS);
    if (isCleared(left, spawnSync(program, args, options).status)) return true;
  }
  return false;
}

/** The numbers of attempts: more of them while they are quick. */
function* attempts(longestMs: number): Generator<number> {
  const end = performance.now() + longestMs;
  for (let attempt = 0; attempt < QUICK_ATTEMPTS; attempt += 1)
    if (attempt < ATTEMPTS || performance.now() < end) yield attempt;
}

/**
 * Removes the directories that are empty, as most are. It needs no process of the user: it enters none and follows no
 * link.
 */
function withoutEmpty(clearing: Clearing): Clearing {
  checkUser(clearing.user);
  return { ...clearing, directories: clearing.directories.filter((each) => !triesToRemove(each)) };
}

function triesToRemove(directory: string): boolean {
  try {
    rmdirSync(directory);
    return true;
  } catch {
    return false;
  }
}

const isNothing = ({ ends, directories }: Clearing): boolean => !ends && directories.length === 0;

function checkUser(user: number): void {
  if (!Number.isInteger(user) || user < USERS.first || user > USERS.last)
    throw new Error(`${user} is not an operating-system user of components.`);
}

const isCleared = ({ user, ends }: Clearing, code: number | null): boolean =>
  code === 0 && !(ends && hasProcesses(user));

function commandOf({ user, ends, directories }: Clearing, attempt: number, timeout: number): Command {
  const options: SpawnOptions = {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    stdio: 'ignore',
    timeout,
    killSignal: 'SIGKILL',
  };
  const what = ends ? 'ends' : 'keeps';
  if (attempt > 0)
    return { program: process.execPath, args: ['-e', NODE, String(user), what, ...directories], options };
  return {
    program: '/bin/sh',
    args: ['-c', SHELL, 'sh', what, ...directories],
    options: { ...options, uid: user, gid: user },
  };
}

/** Null if a signal ended it, or if it did not start. */
const exitCode = ({ program, args, options }: Command): Promise<number | null> =>
  new Promise((resolve) => {
    spawn(program, args, options)
      .once('error', () => resolve(null))
      .once('exit', (code) => resolve(code));
  });
