import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DataDirectoryInUse, type Disk, openDisk } from './disk.ts';

/** Takes a data directory: from here on no other process has it. */
export async function openDataDirectory(
  dataDir: string,
  sync: 'interval' | 'always' = 'interval',
): Promise<Disk> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  return openDisk(join(dataDir, 'store'), { sync }).catch((cause: unknown) => {
    if (!(cause instanceof DataDirectoryInUse)) throw cause;
    throw new DataDirectoryInUse(`Another process is using the data directory ${dataDir}.`, { cause });
  });
}
