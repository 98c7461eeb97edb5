import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The builder's directory for this operating-system user. Its content is trusted, so a directory that another user owns or may write to is
 * not used.
 */
export function ownDirectory(): string {
  const uid = process.getuid?.() ?? -1;
  const directory = join(tmpdir(), `tributary-builder-${uid}`);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const found = lstatSync(directory);
  const isOwn = found.isDirectory() && (found.uid === uid || uid < 0) && (found.mode & 0o022) === 0;
  if (!isOwn) return mkdtempSync(join(tmpdir(), 'tributary-builder-'));
  removeAbandoned(directory);
  return directory;
}

const PROCESS = 'process-';

/** Makes a directory for one process, with the pid in its name, so that a later start can remove abandoned ones. */
export function processDirectory(directory: string): string {
  return mkdtempSync(join(directory, `${PROCESS}${process.pid}-`));
}

/** Removes a directory. Files that an ending process still writes are left to a later start. */
export function removeTree(directory: string): void {
  try {
    rmSync(directory, { recursive: true, force: true });
  } catch {
    // A process wrote to it meanwhile.
  }
}

/** Removes directories of processes that were killed. */
function removeAbandoned(directory: string): void {
  for (const name of readdirSync(directory)) {
    const owner = Number(new RegExp(`^${PROCESS}(\\d+)-`).exec(name)?.[1]);
    if (owner && !isAlive(owner)) removeTree(join(directory, name));
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
