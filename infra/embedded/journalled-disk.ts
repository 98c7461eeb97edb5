import { setTimeout as wait } from 'node:timers/promises';
import type { BatchOperation, ClassicLevel } from 'classic-level';
import type { Disk, DiskOptions } from './disk.ts';
import type { Journal } from './journal.ts';
import { deleteIn, putIn, type Write, type Writes } from './write-layer.ts';

/** Interval of flushes to the device. In between, the operating system has the writes, so they survive `kill -9`. */
const SYNC_EVERY_MS = 200;
/** Size at which the journal moves to LevelDB. After a crash, a journal of this size is read in a fraction of a second. */
const JOURNAL_BYTES = 32 << 20;
/** Writes of one LevelDB batch: about a millisecond of the event loop. */
const SLICE = 100;
/** Time between two batches, for requests. */
const SLICE_PAUSE_MS = 10;

type Operation = BatchOperation<ClassicLevel<string, string | Uint8Array>, string, string | Uint8Array>;

/**
 * A commit is one append to a journal. LevelDB gets the remaining writes of many commits in batches. Most messages of a queue are
 * deleted within a second, and so never reach LevelDB.
 */
export class JournalledDisk implements Disk {
  readonly #db: ClassicLevel<string, string | Uint8Array>;
  readonly #journal: Journal;
  readonly #syncAlways: boolean;
  readonly #journalBytes: number;
  readonly #pause: (ms: number) => Promise<void>;
  /** Staged writes that are not committed. */
  #staged: Writes = new Map();
  /** Writes that are only in the journal. */
  #recent: Writes;
  /** Writes that move from the journal to LevelDB. */
  #moving: Writes | undefined;
  #stagedWritten: Promise<void> | undefined;
  #lastWrite: Promise<void> = Promise.resolve();
  #moved: Promise<void> | undefined;
  #closed: Promise<void> | undefined;
  /** Callers that wait for the end of a move: it makes no pauses then. */
  #waiting = 0;
  /** Runs while some writes are not on the device: an idle disk wakes nothing. */
  #syncTimer: NodeJS.Timeout | undefined;
  #failed: unknown;

  constructor(
    db: ClassicLevel<string, string | Uint8Array>,
    journal: Journal,
    recent: Writes,
    { sync, journalBytes = JOURNAL_BYTES, pause = wait }: DiskOptions,
  ) {
    this.#db = db;
    this.#journal = journal;
    this.#recent = recent;
    this.#syncAlways = sync === 'always';
    this.#journalBytes = journalBytes;
    this.#pause = pause;
  }

  get(key: string): string | undefined {
    const value = this.#overlay(key);
    if (value !== BELOW)
      return typeof value === 'string' || value === undefined ? value : Buffer.from(value).toString();
    return this.#db.getSync<string, string>(key, { valueEncoding: 'utf8' });
  }

  getBytes(key: string): Uint8Array | undefined {
    const value = this.#overlay(key);
    if (value !== BELOW) return typeof value === 'string' ? Buffer.from(value) : value;
    return this.#db.getSync<string, Uint8Array>(key, { valueEncoding: 'view' });
  }

  put(key: string, value: string | Uint8Array): void {
    putIn(this.#staged, key, { value, isNew: false });
  }

  putNew(key: string, value: string | Uint8Array): void {
    putIn(this.#staged, key, { value, isNew: true });
  }

  del(key: string): void {
    deleteIn(this.#staged, key);
  }

  commit(): Promise<void> {
    if (this.#failed !== undefined) return Promise.reject(this.#failure());
    if (this.#staged.size === 0) return this.#lastWrite;
    this.#stagedWritten ??= this.#lastWrite.then(endOfTurn).then(() => this.#write());
    return this.#stagedWritten;
  }

  async *entries(prefix: string): AsyncIterable<[string, string]> {
    await this.#settle();
    const range = { gte: prefix, lt: `${prefix}\uffff`, keyEncoding: 'utf8', valueEncoding: 'utf8' } as const;
    for await (const entry of this.#db.iterator<string, string>(range)) yield entry;
  }

  async *keys(prefix: string): AsyncIterable<string> {
    await this.#settle();
    yield* this.#db.keys({ gte: prefix, lt: `${prefix}\uffff` });
  }

  /** May be called twice: by a failed start and by its caller. */
  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  async #end(): Promise<void> {
    await this.commit();
    clearTimeout(this.#syncTimer);
    await this.#settle();
    await this.#journal.close();
    await this.#db.close();
  }

  /** Resolves when LevelDB has all committed writes. */
  async #settle(): Promise<void> {
    await this.#lastWrite;
    this.#waiting += 1;
    try {
      while (this.#moved || this.#recent.size > 0) await (this.#moved ?? this.#move());
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Moves the writes of the replayed journal, and deletes its files. */
  async moveReplayed(): Promise<void> {
    this.#waiting += 1;
    await this.#move().finally(() => (this.#waiting -= 1));
  }

  /** Moves the writes of the journal to LevelDB, and deletes them from the journal. */
  async #move(): Promise<void> {
    if (this.#failed !== undefined) throw this.#failure();
    const forget = this.#journal.rotate();
    const moving = this.#recent;
    this.#moving = moving;
    this.#recent = new Map();
    this.#moved = this.#toLevel([...moving]).then(forget);
    try {
      await this.#moved;
    } catch (error) {
      // The moving writes stay readable, and stay in the journal.
      this.#fail(error);
      throw this.#failure();
    }
    this.#moving = undefined;
    this.#moved = undefined;
  }

  /** The value of a key in the layers above LevelDB. `undefined` is a deletion. */
  #overlay(key: string): string | Uint8Array | undefined | typeof BELOW {
    const write = this.#staged.get(key) ?? this.#recent.get(key) ?? this.#moving?.get(key);
    return write ? write.value : BELOW;
  }

  #write(): Promise<void> {
    const staged = this.#staged;
    this.#staged = new Map();
    this.#stagedWritten = undefined;
    try {
      this.#journal.append(staged);
    } catch (error) {
      this.#fail(error);
      return Promise.reject(this.#failure());
    }
    for (const [key, write] of staged) {
      if (write.value === undefined) deleteIn(this.#recent, key);
      else {
        if (this.#moving?.has(key)) write.isNew = false;
        putIn(this.#recent, key, write);
      }
    }
    if (this.#journal.size >= this.#journalBytes && !this.#moved) this.#move().catch(this.#fail);
    if (this.#syncAlways) this.#lastWrite = this.#journal.sync();
    else this.#syncTimer ??= setTimeout(this.#sync, SYNC_EVERY_MS).unref();
    return this.#lastWrite;
  }

  readonly #sync = (): void => {
    this.#syncTimer = undefined;
    this.#journal.sync().catch(this.#fail);
  };

  async #toLevel(writes: [string, Write][]): Promise<void> {
    for (let at = 0; at < writes.length; at += SLICE) {
      // An array costs a third of a chained batch.
      await this.#db.batch(writes.slice(at, at + SLICE).map(operationOf), {
        sync: at + SLICE >= writes.length,
      });
      // The move ends before the next journal is full, however fast that fills.
      const hasTime = this.#journal.size < this.#journalBytes / 2;
      if (this.#waiting === 0 && hasTime) await this.#pause(SLICE_PAUSE_MS);
    }
  }

  readonly #fail = (error: unknown): void => {
    this.#failed ??= error;
  };

  #failure(): Error {
    return new Error('The data directory cannot be written.', { cause: this.#failed });
  }
}

function operationOf([key, { value }]: [string, Write]): Operation {
  if (value === undefined) return { type: 'del', key };
  return typeof value === 'string'
    ? { type: 'put', key, value, valueEncoding: 'utf8' }
    : { type: 'put', key, value, valueEncoding: 'view' };
}

/** Later writes of the same turn of the event loop join the commit. */
const endOfTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

const BELOW = Symbol('below');
