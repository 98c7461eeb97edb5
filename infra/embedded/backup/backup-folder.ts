import type { Stats } from 'node:fs';
import { lstat, mkdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import { UNFINISHED_MARK } from '../disk/unfinished-mark.ts';
import { flush } from './folder-files.ts';
import { BackupRefused } from './refusals.ts';

/** The name of a backup that is not whole ends so. */
const UNFINISHED = '.unfinished-backup';

/** The folder that becomes the backup. */
export interface BackupFolder {
  /** The folder that contains it. */
  readonly parent: string;
  /** Its path until it is whole. */
  readonly unfinished: string;
  /** Gives it its name, on the device too. */
  finish(): Promise<void>;
  remove(): Promise<void>;
}

/**
 * Makes the folder of a backup, or says why there cannot be one at this path. Removes what an interrupted backup left
 * there.
 */
export async function makeBackupFolder(path: string, dataDir: string): Promise<BackupFolder> {
  if (!isAbsolute(path)) throw new BackupRefused(`The path ${path} is not absolute: begin it with a slash.`);
  const parent = await parentOf(path);
  const target = join(parent, basename(path));
  if (await isThere(target))
    throw new BackupRefused(`There is something at ${path} already: remove it, or choose another path.`);
  const own = await realpath(dataDir);
  if (target === own || `${target}${sep}`.startsWith(`${own}${sep}`))
    throw new BackupRefused(`The path ${path} is in the data directory: choose a path outside of it.`);
  const unfinished = `${target}${UNFINISHED}`;
  await removeLeftOver(unfinished);
  await mkdir(unfinished, { mode: 0o700 });
  const mark = join(unfinished, UNFINISHED_MARK);
  await writeFile(mark, '');
  return {
    parent,
    unfinished,
    async finish() {
      if (await isThere(target))
        throw new BackupRefused(`There is something at ${path} meanwhile: remove it, and repeat the backup.`);
      await rm(mark);
      await flush(unfinished);
      await rename(unfinished, target);
      await flush(parent);
    },
    remove: () => rm(unfinished, { recursive: true, force: true }),
  };
}

async function parentOf(path: string): Promise<string> {
  const parent = dirname(path);
  const found = await statsOf(parent, stat);
  if (!found?.isDirectory()) throw new BackupRefused(`There is no folder ${parent}: make it, or choose another path.`);
  return realpath(parent);
}

/** Other users can make names in a shared folder: only a folder of this process's user is emptied. */
async function removeLeftOver(unfinished: string): Promise<void> {
  const found = await statsOf(unfinished);
  if (!found) return;
  if (!found.isDirectory() || found.uid !== process.getuid?.())
    throw new BackupRefused(`${unfinished} is not from an earlier backup: remove it, or choose another path.`);
  await rm(unfinished, { recursive: true, force: true });
}

const isThere = async (path: string): Promise<boolean> => (await statsOf(path)) !== undefined;

/** Undefined where nothing is. */
async function statsOf(path: string, look: typeof stat | typeof lstat = lstat): Promise<Stats | undefined> {
  try {
    return await look(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined;
    throw error;
  }
}
