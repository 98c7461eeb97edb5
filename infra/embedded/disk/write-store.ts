import { ClassicLevel } from 'classic-level';
import type { RawEntry } from './disk.ts';

interface WriteStoreOptions {
  /** Runs after each slice: it leaves the event loop to requests, and ends the writing when it throws. */
  readonly afterSlice: () => Promise<void>;
}

/** Writes entries into a new store, which `openDisk` opens. Resolves with their number. */
export async function writeStore(
  path: string,
  slices: AsyncIterable<readonly RawEntry[]>,
  { afterSlice }: WriteStoreOptions,
): Promise<number> {
  const options = { keyEncoding: 'view', valueEncoding: 'view', errorIfExists: true } as const;
  const db = new ClassicLevel<Uint8Array, Uint8Array>(path, options);
  await db.open();
  let count = 0;
  try {
    for await (const slice of slices) {
      await db.batch(slice.map(([key, value]) => ({ type: 'put', key, value })));
      count += slice.length;
      await afterSlice();
    }
  } finally {
    await db.close();
  }
  return count;
}
