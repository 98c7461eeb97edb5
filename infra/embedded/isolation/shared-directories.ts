import { lstatSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

interface SharedDirectory {
  path: string;
  /** Its owner. */
  user: number;
}

const isOwn = (user: number): boolean => user === process.getuid?.();

/** Directories of other users in a directory of this one. They are not entered. */
export function sharedDirectories(path: string): SharedDirectory[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true) return [];
  if (!isOwn(found.uid)) return [{ path, user: found.uid }];
  return readdirSync(path).flatMap((name) => sharedDirectories(join(path, name)));
}

/**
 * Removes a directory of this user, in which no other user can replace anything. Those of other users go if they are
 * empty.
 */
export function removeOwn(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return;
  if (!found.isDirectory()) return rmSync(path, { force: true });
  if (isOwn(found.uid)) for (const name of readdirSync(path)) removeOwn(join(path, name));
  rmdirSync(path);
}
