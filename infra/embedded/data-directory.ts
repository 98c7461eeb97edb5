import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { getSystemErrorMap } from 'node:util';
import { DataDirectoryInUse, DataDirectoryUnusable, type Disk, openDisk } from './disk.ts';
import { socketAddress } from './operator/socket-address.ts';

/** Takes a data directory: from here on no other process has it. */
export async function openDataDirectory(
  dataDir: string,
  sync: 'interval' | 'always' = 'interval',
): Promise<Disk> {
  // Where a running service could not be reached, none is begun.
  socketAddress(dataDir);
  const store = join(dataDir, 'store');
  try {
    await mkdir(store, { recursive: true, mode: 0o700 });
    return await openDisk(store, { sync });
  } catch (cause) {
    if (cause instanceof DataDirectoryInUse)
      throw new DataDirectoryInUse(`Another process is using the data directory ${dataDir}.`, { cause });
    throw new DataDirectoryUnusable(`The data directory ${dataDir} cannot be used: ${reason(cause)}.`, {
      cause,
    });
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
