import { setTimeout as wait } from 'node:timers/promises';
import type { ClassicLevel } from 'classic-level';
import { type Disk, type DiskOptions, type DiskSnapshot, DiskUnavailable, type OwnedRows } from './disk.ts';
import { type DiskValue, valueBytes, valueText } from './disk-value.ts';
import type { Journal } from './journal.ts';
import { JournalMove } from './journal-move.ts';
import { LevelSnapshot } from './level-snapshot.ts';
import { UnmovedWrites } from './unmoved-writes.ts';
import type { Writes } from './write-layer.ts';

/** Interval of flushes to the device. In between, the operating system has the writes, so they survive `kill -9`. */
const SYNC_EVERY_MS = 200;
/**
 * Size at which the journal moves to LevelDB. After a crash, a journal of this size is read in a fraction of a second.
 * A journal of half the size moves bodies of large events shortly before their streams drop them: events of 64 KB then
 * cost a tenth more.
 */
const JOURNAL_BYTES = 64 << 20;
/** Time between two attempts while the disk takes no writes. */
const RETRY_MS = 500;
/**
 * A commit is one append to a journal. LevelDB gets the remaining writes of many commits in batches. Most messages of a
 * queue are deleted within a second, and so never reach LevelDB: their owner keeps them, and hands over those that are
 * left when the journal moves.
 */
export class JournalledDisk implements Disk {
  readonly #db: ClassicLevel<string, string | Uint8Array>;
  readonly #journal: Journal;
  readonly #syncAlways: boolean;
  readonly #journalBytes: number;
  readonly #writes: UnmovedWrites;
  readonly #move: JournalMove;
  #stagedWritten: Promise<void> | undefined;
  #lastWrite: Promise<void> = Promise.resolve();
  #moved: Promise<void> | undefined;
  #closed: Promise<void> | undefined;
  /** Callers that wait for the end of a move: it makes no pauses then. */
  #waiting = 0;
  /** Runs while some changes are not on the device: an idle disk wakes nothing. */
  #syncTimer: NodeJS.Timeout | undefined;
  #retryTimer: NodeJS.Timeout | undefined;
  #moveTimer: NodeJS.Timeout | undefined;
  #problem: DiskUnavailable | undefined;
  /** A flush failed: the device may have lost earlier writes. All writes are refused until a restart. */
  #lost: DiskUnavailable | undefined;

  constructor(
    db: ClassicLevel<string, string | Uint8Array>,
    journal: Journal,
    recent: Writes,
    { sync, journalBytes = JOURNAL_BYTES, pause = wait, freeBytes = () => Infinity }: DiskOptions,
  ) {
    this.#db = db;
    this.#journal = journal;
    this.#syncAlways = sync === 'always';
    this.#journalBytes = journalBytes;
    // The move ends before the next journal is full, however fast that fills.
    const isUrgent = () => this.#waiting > 0 || journal.size >= journalBytes / 2;
    this.#move = new JournalMove(db, { pause, freeBytes, isUrgent });
    this.#writes = new UnmovedWrites(journal, this.#move, recent);
  }

  get problem(): DiskUnavailable | undefined {
    return this.#lost ?? this.#problem;
  }

  get(key: string): string | undefined {
    const write = this.#writes.find(key);
    if (write) return write.value === undefined ? undefined : valueText(write.value);
    return this.#level().getSync<string, string>(key, { valueEncoding: 'utf8' });
  }

  getBytes(key: string): Uint8Array | undefined {
    const write = this.#writes.find(key);
    if (write) return write.value === undefined ? undefined : valueBytes(write.value);
    return this.#level().getSync<string, Uint8Array>(key, { valueEncoding: 'view' });
  }

  put(key: string, value: DiskValue): void {
    this.#writes.put(key, value);
  }

  putNew(key: string, value: DiskValue): void {
    this.#writes.putNew(key, value);
  }

  del(key: string): void {
    this.#writes.del(key);
  }

  own(rows: OwnedRows): void {
    this.#writes.own(rows);
  }

  commit(): Promise<void> {
    if (this.#lost) return Promise.reject(this.#lost);
    if (!this.#writes.isChanged) {
      // A write that failed may have been taken back since.
      this.#problem = undefined;
      return this.#lastWrite;
    }
    this.#stagedWritten ??= this.#lastWrite.then(endOfTurn).then(() => this.#write());
    return this.#stagedWritten;
  }

  commitRows(): Promise<void> {
    return this.#writes.hasStaged ? this.commit() : this.#lastWrite;
  }

  commitLater(): void {
    this.#syncTimer ??= setTimeout(this.#sync, SYNC_EVERY_MS).unref();
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

  async snapshot(): Promise<DiskSnapshot> {
    await this.#lastWrite;
    // A move that runs already may lack the latest commits.
    while (this.#moved || this.#move.writes) await (this.#moved ?? this.#moveOnce());
    // While this move runs, no other one does: at its end LevelDB has all commits before it and none after it.
    const taken = this.#moveAll().then(() => new LevelSnapshot(this.#db));
    this.#moved = taken.then(() => undefined).finally(() => (this.#moved = undefined));
    await this.#moved;
    return taken;
  }

  /** May be called twice: by a failed start and by its caller. */
  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  /** Closes everything, whatever fails. Rejects when the last writes could not be written. */
  async #end(): Promise<void> {
    try {
      await this.commit();
      // The journal has all writes: the next start moves what did not move.
      await this.#settle().catch(() => undefined);
    } finally {
      clearTimeout(this.#syncTimer);
      clearTimeout(this.#retryTimer);
      clearTimeout(this.#moveTimer);
      try {
        await this.#journal.close();
      } finally {
        await this.#db.close();
      }
    }
  }

  /** Resolves when LevelDB has all committed writes. */
  async #settle(): Promise<void> {
    await this.#lastWrite;
    this.#waiting += 1;
    try {
      while (this.#moved || this.#writes.hasCommitted) await (this.#moved ?? this.#moveOnce());
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Moves the writes of the replayed journal, and deletes its files. */
  async moveReplayed(): Promise<void> {
    this.#waiting += 1;
    await this.#moveOnce().finally(() => (this.#waiting -= 1));
  }

  /**
   * Moves the writes of the journal to LevelDB, and deletes them from the journal. A move that failed is repeated
   * whole.
   */
  #moveOnce(): Promise<void> {
    this.#moved = this.#moveAll().finally(() => (this.#moved = undefined));
    return this.#moved;
  }

  async #moveAll(): Promise<void> {
    if (this.#lost) throw this.#lost;
    if (!this.#move.writes) {
      try {
        this.#append();
      } catch (error) {
        throw this.#refused(error);
      }
      this.#writes.beginMove();
    }
    await this.#move.finish();
  }

  /** LevelDB for a read. Throws {@link DiskUnavailable} while it opens again after a full disk. */
  #level(): ClassicLevel<string, string | Uint8Array> {
    if (this.#db.status === 'open') return this.#db;
    throw new DiskUnavailable(new Error('LevelDB is opened again.'));
  }

  #write(): Promise<void> {
    this.#stagedWritten = undefined;
    if (this.#lost) return Promise.reject(this.#lost);
    try {
      this.#append();
    } catch (error) {
      return Promise.reject(this.#refused(error));
    }
    if (this.#journal.size >= this.#journalBytes && !this.#moved && !this.#moveTimer) this.#moveInBackground();
    return this.#lastWrite;
  }

  /** Appends all changes to the journal or, when it throws, none. */
  #append(): void {
    if (!this.#writes.append()) return;
    this.#problem = undefined;
    if (this.#syncAlways) {
      this.#lastWrite = this.#journal.sync();
      this.#lastWrite.catch(this.#lose);
    } else this.commitLater();
  }

  /**
   * The writes stay staged, because the services have made their changes in memory: only a write of all of them keeps
   * both equal.
   */
  #refused(error: unknown): DiskUnavailable {
    this.#problem = new DiskUnavailable(error);
    this.#retryTimer ??= setTimeout(() => {
      this.#retryTimer = undefined;
      this.commit().catch(() => undefined);
    }, RETRY_MS).unref();
    return this.#problem;
  }

  /** After a failure the journal grows, and the move is tried again. */
  #moveInBackground(): void {
    this.#moveOnce().catch(() => {
      if (this.#closed || this.#lost) return;
      this.#moveTimer = setTimeout(() => {
        this.#moveTimer = undefined;
        if (!this.#closed && !this.#moved) this.#moveInBackground();
      }, RETRY_MS).unref();
    });
  }

  readonly #sync = (): void => {
    try {
      if (!this.#lost) this.#append();
    } catch (error) {
      this.#refused(error);
    }
    this.#syncTimer = undefined;
    this.#journal.sync().catch(this.#lose);
  };

  readonly #lose = (error: unknown): void => {
    this.#lost ??= new DiskUnavailable(error);
  };
}

/** Later writes of the same turn of the event loop join the commit. */
const endOfTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
