import { ClassicLevel } from 'classic-level';
import { join } from 'node:path';
import { Journal } from './journal.ts';
import { JournalledDisk } from './journalled-disk.ts';

/**
 * The one durable store of the embedded cloud. Reads are synchronous and see staged writes, so a service can check and
 * write without locks; `commit` resolves when everything staged so far is written (survives `kill -9`), many callers
 * sharing one write.
 */
export interface Disk {
  /** The value under a key, staged writes included. */
  get(key: string): string | undefined;
  getBytes(key: string): Uint8Array | undefined;
  /** Stages a write; nothing is acknowledged before `commit`. */
  put(key: string, value: string | Uint8Array): void;
  /** The same where nothing stands under the key: what is deleted again soon then costs next to nothing. */
  putNew(key: string, value: string | Uint8Array): void;
  del(key: string): void;
  commit(): Promise<void>;
  /** Everything under a prefix in key order, as of the last commit. For loading at start. */
  entries(prefix: string): AsyncIterable<[key: string, value: string]>;
  keys(prefix: string): AsyncIterable<string>;
  close(): Promise<void>;
}

/** Says in one sentence what a person has to change. */
export class DataDirectoryUnusable extends Error {}
export class DataDirectoryInUse extends DataDirectoryUnusable {}

export interface DiskOptions {
  /** `always`: a commit is on the device before it resolves. */
  readonly sync: 'interval' | 'always';
  readonly journalBytes?: number;
}

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
  // LevelDB leaves alone what it did not name.
  const directory = join(path, 'journal');
  const missed = Journal.replay(directory);
  const disk = new JournalledDisk(db, new Journal(directory), missed, options);
  await disk.move();
  return disk;
}

const isLocked = (error: unknown) =>
  error instanceof Error &&
  error.cause instanceof Error &&
  'code' in error.cause &&
  error.cause.code === 'LEVEL_LOCKED';
