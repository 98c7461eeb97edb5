import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Where builds of this user of the machine live. Nobody else may write there, since what lies there is believed: a directory that
 * somebody made beforehand is not used.
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

/** A directory for one process of this program, named so that a later start sees whether its owner lives. */
export function processDirectory(directory: string): string {
  return mkdtempSync(join(directory, `${PROCESS}${process.pid}-`));
}

/** What a process that is just ending still writes there stays for a later start. */
export function removeTree(directory: string): void {
  try {
    rmSync(directory, { recursive: true, force: true });
  } catch {
    // Not empty again, most likely.
  }
}

/** A program that was killed could not clean up. */
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
