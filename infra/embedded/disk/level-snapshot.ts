import type { ClassicLevel, Snapshot } from 'classic-level';
import type { DiskSnapshot, RawEntry } from './disk.ts';

/** Entries and bytes of one slice: about a millisecond of the event loop. */
const SLICE_ENTRIES = 100;
const SLICE_BYTES = 256 * 1024;

/** The entries of a LevelDB at the time of the construction, whatever is written later. */
export class LevelSnapshot implements DiskSnapshot {
  readonly #db: ClassicLevel<string, string | Uint8Array>;
  readonly #snapshot: Snapshot;

  constructor(db: ClassicLevel<string, string | Uint8Array>) {
    this.#db = db;
    this.#snapshot = db.snapshot();
  }

  async *slices(prefix?: string): AsyncIterable<readonly RawEntry[]> {
    const iterator = this.#db.iterator<Uint8Array, Uint8Array>({
      ...(prefix !== undefined && { gte: Buffer.from(prefix), lt: Buffer.from(`${prefix}\uffff`) }),
      snapshot: this.#snapshot,
      keyEncoding: 'view',
      valueEncoding: 'view',
      highWaterMarkBytes: SLICE_BYTES,
      fillCache: false,
    });
    try {
      for (;;) {
        const slice = await iterator.nextv(SLICE_ENTRIES);
        if (slice.length === 0) return;
        yield slice;
      }
    } finally {
      await iterator.close();
    }
  }

  close(): Promise<void> {
    return this.#snapshot.close();
  }
}
