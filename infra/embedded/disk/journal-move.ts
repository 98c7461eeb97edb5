import type { BatchOperation, ClassicLevel } from 'classic-level';
import { DiskUnavailable } from './disk.ts';
import { isBytes, valueText } from './disk-value.ts';
import type { Write, Writes } from './write-layer.ts';

/** Writes of one LevelDB batch: about a millisecond of the event loop. */
const SLICE = 100;
/** Time between two batches, for requests. */
const SLICE_PAUSE_MS = 10;
/** Free space, besides that of the writes themselves, that LevelDB needs to open again. */
const REOPEN_BYTES = 4 << 20;

type Operation = BatchOperation<ClassicLevel<string, string | Uint8Array>, string, string | Uint8Array>;

interface JournalMoveOptions {
  pause(ms: number): Promise<unknown>;
  freeBytes(): number;
  /** Whether something waits for the end of the move: it makes no pauses then. */
  isUrgent(): boolean;
}

interface Moving {
  writes: Writes;
  /** Their size in the journal. */
  bytes: number;
  /** Deletes their journal files. */
  forget: () => Promise<void>;
}

/**
 * The writes that move from the journal to LevelDB. They stay readable, and stay in the journal, until LevelDB has all
 * of them.
 */
export class JournalMove {
  readonly #db: ClassicLevel<string, string | Uint8Array>;
  readonly #options: JournalMoveOptions;
  #moving: Moving | undefined;
  /** LevelDB failed to write: it takes no writes until it is opened again, and reads go on. */
  #isLevelBroken = false;

  constructor(db: ClassicLevel<string, string | Uint8Array>, options: JournalMoveOptions) {
    this.#db = db;
    this.#options = options;
  }

  get writes(): Writes | undefined {
    return this.#moving?.writes;
  }

  begin(moving: Moving): void {
    this.#moving = moving;
  }

  /** Writes all of them, in slices. A move that failed is repeated whole. */
  async finish(): Promise<void> {
    if (!this.#moving) return;
    const { writes, bytes, forget } = this.#moving;
    const all = [...writes];
    if (this.#isLevelBroken) await this.#reopen(bytes);
    try {
      await this.#write(all);
    } catch (error) {
      this.#isLevelBroken = true;
      throw new DiskUnavailable(error);
    }
    await forget();
    this.#moving = undefined;
  }

  async #write(writes: readonly [string, Write][]): Promise<void> {
    for (let at = 0; at < writes.length; at += SLICE) {
      // An array costs a third of a chained batch.
      await this.#db.batch(writes.slice(at, at + SLICE).map(operationOf), {
        sync: at + SLICE >= writes.length,
      });
      if (!this.#options.isUrgent()) await this.#options.pause(SLICE_PAUSE_MS);
    }
  }

  /** Reads fail while LevelDB opens, so there must be room to open it. */
  async #reopen(bytes: number): Promise<void> {
    if (this.#options.freeBytes() < 2 * bytes + REOPEN_BYTES)
      throw new DiskUnavailable(new Error('LevelDB has no room to open.'));
    await this.#db.close();
    await this.#db.open();
    this.#isLevelBroken = false;
  }
}

function operationOf([key, { value }]: readonly [string, Write]): Operation {
  if (value === undefined) return { type: 'del', key };
  return isBytes(value)
    ? { type: 'put', key, value, valueEncoding: 'view' }
    : { type: 'put', key, value: valueText(value), valueEncoding: 'utf8' };
}
