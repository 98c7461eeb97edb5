import { ClassicLevel } from 'classic-level';
import { join } from 'node:path';
import { DataDirectoryInUse, type Disk, type DiskOptions } from './disk.ts';
import { Journal } from './journal.ts';
import { JournalledDisk } from './journalled-disk.ts';

export async function openDisk(path: string, options: DiskOptions): Promise<Disk> {
  const db = new ClassicLevel<string, string | Uint8Array>(path, { keyEncoding: 'utf8' });
  try {
    await db.open();
  } catch (error) {
    if (isLocked(error)) {
      throw new DataDirectoryInUse(`Another process is using the data directory ${path}.`, { cause: error });
    }
    throw error;
  }
  // LevelDB ignores names that are not its own.
  const directory = join(path, 'journal');
  const replayed = Journal.replay(directory);
  const disk = new JournalledDisk(db, new Journal(directory), replayed, options);
  await disk.moveReplayed();
  return disk;
}

const isLocked = (error: unknown) =>
  error instanceof Error &&
  error.cause instanceof Error &&
  'code' in error.cause &&
  error.cause.code === 'LEVEL_LOCKED';
