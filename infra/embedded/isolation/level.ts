import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { IsolationUnavailable, type Level } from './levels.ts';
import { findProgram, librariesOf, probe, type Sandbox } from './sandbox.ts';
import { refuseClosedFolder } from './temporary-folder.ts';

/** The level of this machine, with what it needs. */
export type Isolation =
  /** `hasUsers`: each owner also has an operating-system user of its own outside of the sandbox. */
  { level: 'sandbox'; sandbox: Sandbox; hasUsers: boolean } | { level: 'user' } | { level: 'process' };

/** Whether each owner has an operating-system user of its own. */
export const hasUsers = (isolation: Isolation): boolean =>
  isolation.level === 'user' || (isolation.level === 'sandbox' && isolation.hasUsers);

/** The level that was asked for, or else the strongest one that works here. Throws {@link IsolationUnavailable}. */
export async function chooseIsolation(asked: Level | undefined): Promise<Isolation> {
  const chosen = await strongest(asked);
  if (hasUsers(chosen)) refuseClosedFolder(tmpdir());
  return chosen;
}

async function strongest(asked: Level | undefined): Promise<Isolation> {
  if (asked === 'process') return { level: 'process' };
  const sandbox = asked === 'user' ? undefined : await findSandbox();
  if (typeof sandbox === 'object') return sandbox;
  if (asked === 'sandbox') throw new IsolationUnavailable(`ISOLATION=sandbox is not available: ${sandbox ?? ''}.`);
  const obstacle = await obstacleToUsers();
  if (obstacle === undefined) return { level: 'user' };
  if (asked === 'user') throw new IsolationUnavailable(`ISOLATION=user is not available: ${obstacle}.`);
  return { level: 'process' };
}

/** The sandbox of this machine, or the reason for which there is none. */
async function findSandbox(): Promise<Extract<Isolation, { level: 'sandbox' }> | string> {
  if (process.platform !== 'linux') return 'bubblewrap exists for Linux only';
  const program = findProgram('bwrap');
  if (program === undefined) return 'bwrap is not on the path; install the package bubblewrap';
  const node = process.execPath;
  const sandbox = { program, node, libraries: await librariesOf(node) };
  // To the kernel, root in a sandbox is still the owner of root's files, such as the devices.
  const hasUsers = process.getuid?.() === 0 && (await probe(sandbox, asUser)) === undefined;
  const obstacle = hasUsers ? undefined : await probe(sandbox);
  return obstacle ?? { level: 'sandbox', sandbox, hasUsers };
}

/** The range of users that no package creates, which also rootless containers have. https://systemd.io/UIDS-GIDS */
export const USERS = { first: 61_184, last: 65_519 };

/** The first of them, for tests of what works here. */
const asUser = { uid: USERS.first, gid: USERS.first };

async function obstacleToUsers(): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return 'the service does not run as root';
  try {
    await promisify(execFile)(process.execPath, ['--version'], { ...asUser, cwd: '/', env: {} });
    return undefined;
  } catch {
    return `processes cannot run as the user ${USERS.first}`;
  }
}
