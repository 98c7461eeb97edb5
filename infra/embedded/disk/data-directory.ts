import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { getSystemErrorMap } from 'node:util';
import { checkDataFormat } from './data-format.ts';
import { DataDirectoryInUse, DataDirectoryUnusable, type Disk } from './disk.ts';
import { DiskSpace } from './disk-space.ts';
import { openDisk } from './open-disk.ts';
import { UNFINISHED_MARK } from './unfinished-mark.ts';
import { socketAddress } from './socket-address.ts';

/** Opens the disk of a data directory. Until it is closed, no other process can open it. */
export async function openDataDirectory(dataDir: string, sync: 'interval' | 'always' = 'interval'): Promise<Disk> {
  // Throws if the path is too long for the operator's socket.
  socketAddress(dataDir);
  await refuseUnfinished(dataDir);
  const disk = await openStore(dataDir, sync);
  try {
    checkDataFormat(disk, dataDir);
    return disk;
  } catch (error) {
    await disk.close();
    throw error;
  }
}

async function refuseUnfinished(dataDir: string): Promise<void> {
  const isUnfinished = await stat(join(dataDir, UNFINISHED_MARK)).then(
    () => true,
    () => false,
  );
  if (isUnfinished)
    throw new DataDirectoryUnusable(
      `The data directory ${dataDir} is a backup that was interrupted, and not whole: remove it, and make another one.`,
    );
}

async function openStore(dataDir: string, sync: 'interval' | 'always'): Promise<Disk> {
  const store = join(dataDir, 'store');
  try {
    await makeDirectory(store);
    const space = new DiskSpace(store);
    return await openDisk(store, { sync, freeBytes: () => space.freeBytes });
  } catch (cause) {
    if (cause instanceof DataDirectoryInUse)
      throw new DataDirectoryInUse(
        `Another process is using the data directory ${dataDir}: stop it, or set DATA_DIR to another directory.`,
        { cause },
      );
    throw new DataDirectoryUnusable(`The data directory ${dataDir} cannot be used: ${reason(cause)}.`, {
      cause,
    });
  }
}

/** Opens a data directory that a service has used. Creates nothing. */
export async function openUsedDataDirectory(dataDir: string, sync?: 'interval' | 'always'): Promise<Disk> {
  if (await isUsed(dataDir)) return openDataDirectory(dataDir, sync);
  throw new DataDirectoryUnusable(
    `No service has used the data directory ${dataDir} yet: start the service there first, or set DATA_DIR to the directory of yours.`,
  );
}

/** True for a path that cannot be looked at, too: opening it gives the reason. */
async function isUsed(dataDir: string): Promise<boolean> {
  try {
    return await isDirectory(join(dataDir, 'store'));
  } catch {
    return true;
  }
}

/**
 * Makes a directory and its parents, one by one: Node's recursive option never ends where the system lists a directory
 * but forbids new entries in it.
 */
async function makeDirectory(path: string): Promise<void> {
  if (await isDirectory(path)) return;
  if (dirname(path) !== path) await makeDirectory(dirname(path));
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have made the directory.
    if (!(await isDirectory(path))) throw error;
  }
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, errno } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'EEXIST':
    case 'ENOTDIR':
      return 'there is a file in its place';
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return 'this user may not write there';
    default: {
      const [, message] = (errno !== undefined && getSystemErrorMap().get(errno)) || [];
      return message ?? (error.cause instanceof Error ? error.cause.message : error.message);
    }
  }
}
