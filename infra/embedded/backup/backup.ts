import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Disk, DiskSnapshot } from '../disk/disk.ts';
import { DiskSpace } from '../disk/disk-space.ts';
import { writeStore } from '../disk/write-store.ts';
import type { BodyFiles, HeldRemovals } from '../s3/body-files.ts';
import { copyBodies } from './copy-bodies.ts';
import { bytesOf, flush, flushFiles } from './folder-files.ts';
import { BackupRefused, endedRefusal, noRoomRefusal, refusalOf } from './refusals.ts';
import { makeBackupFolder, type BackupFolder } from './backup-folder.ts';

/** Time between two slices of entries, for requests. */
const SLICE_PAUSE_MS = 2;
/** Removed files that a backup may keep the service from removing, in its memory and on its disk. */
const MAX_HELD = 100_000;

interface BackupReport {
  readonly path: string;
  /** Bytes of all its files, those that it shares with the service included. */
  readonly bytes: number;
  /** Entries of the store: items, messages, schedules, objects. */
  readonly entries: number;
  /** Files of large bodies. */
  readonly files: number;
}

/**
 * Makes a data directory at a path, with everything that was acknowledged before the call. An abort of the signal ends
 * it.
 */
export type BackUp = (path: string, signal: AbortSignal) => Promise<BackupReport>;

interface BackupOptions {
  readonly disk: Pick<Disk, 'snapshot'>;
  readonly bodyFiles: Pick<BodyFiles, 'hold'>;
  readonly dataDir: string;
  readonly pause?: (ms: number) => Promise<unknown>;
}

/** Backups of a data directory that is in use, one at a time. */
export class Backups {
  readonly #options: BackupOptions;
  readonly #closed = new AbortController();
  #running: Promise<unknown> | undefined;

  constructor(options: BackupOptions) {
    this.#options = options;
  }

  readonly make: BackUp = (path, signal) => {
    if (this.#running)
      return Promise.reject(
        new BackupRefused('Another backup of this service is running: wait for its end, then try again.'),
      );
    const made = makeBackup(path, {
      ...this.#options,
      signal: AbortSignal.any([signal, this.#closed.signal]),
    }).finally(() => (this.#running = undefined));
    this.#running = made;
    return made;
  };

  /** Ends the backup that is running. */
  async close(): Promise<void> {
    this.#closed.abort();
    await this.#running?.catch(() => undefined);
  }
}

interface MakeOptions extends BackupOptions {
  readonly signal: AbortSignal;
}

async function makeBackup(path: string, options: MakeOptions): Promise<BackupReport> {
  const folder = await makeBackupFolder(path, options.dataDir).catch((error: unknown) => {
    throw refusalOf(error, path);
  });
  try {
    return { path, ...(await fill(folder, options)) };
  } catch (error) {
    await folder.remove();
    throw options.signal.aborted ? endedRefusal() : refusalOf(error, folder.parent);
  }
}

async function fill(
  folder: BackupFolder,
  { disk, bodyFiles, dataDir, signal, pause = wait }: MakeOptions,
): Promise<Omit<BackupReport, 'path'>> {
  const to = (name: string) => join(folder.unfinished, name);
  const space = new DiskSpace(folder.unfinished);
  const requireRoom = (bytes: number) => {
    if (space.isLowAfter(bytes)) throw noRoomRefusal(folder.parent);
  };
  const goOn = () => {
    if (signal.aborted) throw endedRefusal();
    requireRoom(0);
  };
  const storeBytes = await bytesOf(join(dataDir, 'store'));
  requireRoom(storeBytes);

  // The files of the snapshot's objects stay until the backup has them.
  const held = bodyFiles.hold();
  let snapshot: DiskSnapshot | undefined;
  try {
    snapshot = await snapshotOf(disk, signal);
    const bodies = await copyBodies({
      snapshot,
      from: join(dataDir, 'objects'),
      to: to('objects'),
      beforeCopies: (bytes) => {
        requireRoom(storeBytes + bytes);
      },
      afterFile: holdLimit(held, { dataDir, goOn }),
    });
    await held.release();
    const afterSlice = async () => {
      goOn();
      await pause(SLICE_PAUSE_MS);
    };
    const entries = await writeStore(to('store'), snapshot.slices(), { afterSlice });
    await copyKeys(join(dataDir, 'keys'), to('keys'));
    goOn();
    for (const name of ['store', 'keys', ...(bodies.areCopies ? ['objects'] : [])]) await flushFiles(to(name));
    for (const name of ['store', 'keys', 'objects', '.']) await flush(to(name));
    const bytes = await bytesOf(folder.unfinished);
    await folder.finish();
    return { bytes, entries, files: bodies.count };
  } finally {
    await held.release();
    await snapshot?.close();
  }
}

/** The snapshot of a disk with a full journal takes half a minute: an abort does not wait for it. */
async function snapshotOf(disk: BackupOptions['disk'], signal: AbortSignal): Promise<DiskSnapshot> {
  if (signal.aborted) throw endedRefusal();
  const taken = disk.snapshot();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => {
      reject(endedRefusal());
    });
  });
  try {
    return await Promise.race([taken, aborted]);
  } catch (error) {
    void taken.then((late) => late.close()).catch(() => undefined);
    throw error;
  }
}

/** Ends a backup that keeps the service from removing too many files, or until its disk is nearly full. */
function holdLimit(held: HeldRemovals, { dataDir, goOn }: { dataDir: string; goOn: () => void }): () => void {
  const space = new DiskSpace(dataDir);
  const { isLow: wasLow } = space;
  return () => {
    goOn();
    if (held.size > MAX_HELD || (!wasLow && space.isLow))
      throw new BackupRefused(
        'The copy of large bodies took so long that the service has no room for removed ones: choose a path on the disk of the data directory.',
      );
  };
}

/** A key file never changes. */
async function copyKeys(from: string, to: string): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  // A stack without keys has no such folder.
  const names = existsSync(from) ? await readdir(from) : [];
  for (const name of names.filter((each) => each.endsWith('.key'))) await copyFile(join(from, name), join(to, name));
}
