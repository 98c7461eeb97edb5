import { execFile } from 'node:child_process';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { GATEWAY_DIRECTORY } from './gateway.ts';
import type { ProcessOptions } from '../../../shared/runtime/processes.ts';

/**
 * The program that makes sandboxes, and what each of them needs to run this Node.
 * https://github.com/containers/bubblewrap
 */
export interface Sandbox {
  /** Path of `bwrap`. */
  readonly program: string;
  /** Path of the Node binary, and files that it loads. */
  readonly node: string;
  readonly libraries: readonly string[];
}

/** A user and a group that own nothing. */
const NOBODY = '65534';
/** Hides the name of the machine. */
const HOST_NAME = 'sandbox';

/** Path of a program, if it is on the path of the service. */
export function findProgram(name: string, path = process.env['PATH'] ?? ''): string | undefined {
  return path
    .split(delimiter)
    .filter((directory) => directory.startsWith('/'))
    .map((directory) => join(directory, name))
    .find((file) => existsSync(file));
}

/** Shared libraries of the Node binary and the loader, as the system resolves them. A static binary has none. */
export async function librariesOf(node: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ldd', [node]).catch(() => ({ stdout: '' }));
  return [...new Set(stdout.match(/\/\S+(?= \(0x)/g))];
}

/**
 * Arguments of `bwrap` for a process: namespaces of its own for users, processes, mounts, IPC, host name and the
 * network; no capabilities; and a root that holds the Node binary with its libraries, the files of the process and
 * nothing else, all at their own paths. Descriptor `infoFd` gets the process id.
 */
export function sandboxArguments(
  { node, libraries }: Sandbox,
  { args, cwd, env, readable, writable }: Pick<ProcessOptions, 'args' | 'cwd' | 'env' | 'readable' | 'writable'>,
  { infoFd, gateway, hasUsers }: { infoFd: number; gateway?: string; hasUsers: boolean },
): string[] {
  const files = [node, ...libraries, ...certificatesOf(env, hasUsers), ...readable];
  return [
    ...[
      '--unshare-user',
      '--unshare-pid',
      '--unshare-ipc',
      '--unshare-uts',
      '--hostname',
      HOST_NAME,
      '--unshare-cgroup-try',
      '--unshare-net',
    ],
    ...[
      '--die-with-parent',
      '--new-session',
      '--cap-drop',
      'ALL',
      '--disable-userns',
      '--uid',
      NOBODY,
      '--gid',
      NOBODY,
    ],
    ...['--info-fd', String(infoFd), '--proc', '/proc', '--dev', '/dev'],
    ...files.flatMap((file) => ['--ro-bind', realpathSync(file), file]),
    ...writable.flatMap((directory) => ['--bind', directory, directory]),
    ...(gateway === undefined ? [] : ['--ro-bind', gateway, GATEWAY_DIRECTORY]),
    // Root's processes could write to /proc/sys otherwise, which bubblewrap leaves open to them.
    ...['/proc', '/dev', '/'].flatMap((path) => ['--remount-ro', path]),
    ...['--chdir', cwd, '--', node, ...args],
  ];
}

/** Certificates that the operator set for Node. Processes of other users get those that every user can read. */
const certificatesOf = (env: ProcessOptions['env'], hasUsers: boolean): string[] =>
  ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'].flatMap((name) => {
    const file = env[name];
    return file !== undefined && existsSync(file) && (!hasUsers || isPublic(file)) ? [file] : [];
  });

/** True if every user can enter the directories of the path. */
function isPublic(path: string): boolean {
  const parent = dirname(realpathSync(path));
  return (statSync(parent).mode & 0o001) !== 0 && (parent === '/' || isPublic(parent));
}

/**
 * Checks that a sandbox starts here, for this user or another, by the version of Node in one. The reason, if it does
 * not.
 */
export async function probe(sandbox: Sandbox, user: { uid?: number; gid?: number } = {}): Promise<string | undefined> {
  const options = { args: ['--version'], cwd: '/', env: {}, readable: [], writable: [] };
  try {
    const { stdout } = await promisify(execFile)(
      sandbox.program,
      sandboxArguments(sandbox, options, { infoFd: 2, hasUsers: false }),
      { ...user, cwd: '/', env: {}, timeout: 10_000 },
    );
    return stdout.trim() === process.version ? undefined : 'Node does not run in it';
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return text.split('\n').find((line) => line.startsWith('bwrap:')) ?? text.split('\n')[0];
  }
}
