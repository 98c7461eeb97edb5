import type { ClassicLevel } from 'classic-level';
import type { Disk, DiskOptions } from './disk.ts';
import type { Journal, Writes } from './journal.ts';

/** Flushed to the device at least this often; in between, the operating system holds what `kill -9` cannot take. */
const SYNC_EVERY_MS = 200;
/** So much is journalled before it moves on to LevelDB; read again in a fraction of a second after a crash. */
const JOURNAL_BYTES = 32 << 20;
/** Writes that LevelDB gets at once: a few milliseconds of one turn. */
const SLICE = 500;

/**
 * A commit is one append to a journal; LevelDB gets what is left of many commits at once. Most of what a queue stores is deleted
 * within the second, and so never reaches LevelDB.
 */
export class JournalledDisk implements Disk {
  private readonly db: ClassicLevel<string, string | Uint8Array>;
  private readonly journal: Journal;
  private readonly syncAlways: boolean;
  private readonly journalBytes: number;
  /** Not written yet. */
  private staged: Writes = new Map();
  /** In the journal only. */
  private recent: Writes;
  /** On its way from the journal to LevelDB. */
  private moving: Writes | undefined;
  /** Of `staged` and of `recent`, the keys that stand nowhere further down. */
  private stagedNew = new Set<string>();
  private recentNew = new Set<string>();
  private stagedWritten: Promise<void> | undefined;
  private lastWrite: Promise<void> = Promise.resolve();
  private moved: Promise<void> | undefined;
  private unsynced = false;
  private closed: Promise<void> | undefined;
  private readonly syncTimer: NodeJS.Timeout;
  private failed: unknown;

  constructor(
    db: ClassicLevel<string, string | Uint8Array>,
    journal: Journal,
    recent: Writes,
    { sync, journalBytes = JOURNAL_BYTES }: DiskOptions,
  ) {
    this.db = db;
    this.journal = journal;
    this.recent = recent;
    this.syncAlways = sync === 'always';
    this.journalBytes = journalBytes;
    this.syncTimer = setInterval(() => {
      if (!this.unsynced) return;
      this.unsynced = false;
      this.journal.sync().catch(this.fail);
    }, SYNC_EVERY_MS);
    this.syncTimer.unref();
  }

  get(key: string): string | undefined {
    const value = this.overlay(key);
    if (value !== BELOW)
      return typeof value === 'string' || value === undefined ? value : Buffer.from(value).toString();
    return this.db.getSync<string, string>(key, { valueEncoding: 'utf8' });
  }

  getBytes(key: string): Uint8Array | undefined {
    const value = this.overlay(key);
    if (value !== BELOW) return typeof value === 'string' ? Buffer.from(value) : value;
    return this.db.getSync<string, Uint8Array>(key, { valueEncoding: 'view' });
  }

  put(key: string, value: string | Uint8Array): void {
    this.staged.set(key, value);
  }

  putNew(key: string, value: string | Uint8Array): void {
    if (!this.staged.has(key)) this.stagedNew.add(key);
    this.staged.set(key, value);
  }

  del(key: string): void {
    if (this.stagedNew.delete(key)) this.staged.delete(key);
    else this.staged.set(key, undefined);
  }

  commit(): Promise<void> {
    if (this.failed !== undefined) return Promise.reject(this.failure());
    if (this.staged.size === 0) return this.lastWrite;
    this.stagedWritten ??= this.lastWrite.then(endOfTurn).then(() => this.write());
    return this.stagedWritten;
  }

  async *entries(prefix: string): AsyncIterable<[string, string]> {
    await this.settle();
    const range = { gte: prefix, lt: `${prefix}\uffff`, keyEncoding: 'utf8', valueEncoding: 'utf8' } as const;
    for await (const entry of this.db.iterator<string, string>(range)) yield entry;
  }

  async *keys(prefix: string): AsyncIterable<string> {
    await this.settle();
    yield* this.db.keys({ gte: prefix, lt: `${prefix}\uffff` });
  }

  /** Also twice: whoever gave up the start and whoever asked for it. */
  close(): Promise<void> {
    this.closed ??= this.end();
    return this.closed;
  }

  private async end(): Promise<void> {
    clearInterval(this.syncTimer);
    await this.commit();
    await this.settle();
    await this.journal.close();
    await this.db.close();
  }

  /** Resolves when LevelDB has everything that was committed. */
  private async settle(): Promise<void> {
    await this.lastWrite;
    while (this.moved || this.recent.size > 0) await (this.moved ?? this.move());
  }

  /** Brings to LevelDB what stands in the journal, and forgets that there. */
  async move(): Promise<void> {
    if (this.failed !== undefined) throw this.failure();
    const forget = this.journal.rotate();
    const moving = this.recent;
    this.moving = moving;
    this.recent = new Map();
    this.recentNew = new Set();
    this.moved = this.toLevel([...moving]).then(forget);
    try {
      await this.moved;
    } catch (error) {
      // What was on its way stays readable, and in the journal.
      this.fail(error);
      throw this.failure();
    }
    this.moving = undefined;
    this.moved = undefined;
  }

  /** What stands under a key above LevelDB; `undefined` stands for a deletion. */
  private overlay(key: string): string | Uint8Array | undefined | typeof BELOW {
    if (this.staged.has(key)) return this.staged.get(key);
    if (this.recent.has(key)) return this.recent.get(key);
    if (this.moving?.has(key)) return this.moving.get(key);
    return BELOW;
  }

  private write(): Promise<void> {
    const { staged, stagedNew } = this;
    this.staged = new Map();
    this.stagedNew = new Set();
    this.stagedWritten = undefined;
    try {
      this.journal.append(staged);
    } catch (error) {
      this.fail(error);
      return Promise.reject(this.failure());
    }
    for (const [key, value] of staged) {
      if (value === undefined && this.recentNew.delete(key)) this.recent.delete(key);
      else {
        if (stagedNew.has(key) && !this.recent.has(key) && !this.moving?.has(key)) this.recentNew.add(key);
        this.recent.set(key, value);
      }
    }
    this.unsynced = true;
    if (this.journal.size >= this.journalBytes && !this.moved) this.move().catch(this.fail);
    if (this.syncAlways) this.lastWrite = this.journal.sync();
    return this.lastWrite;
  }

  private async toLevel(writes: [string, string | Uint8Array | undefined][]): Promise<void> {
    for (let at = 0; at < writes.length; at += SLICE) {
      const chain = this.db.batch();
      for (const [key, value] of writes.slice(at, at + SLICE)) {
        if (value === undefined) chain.del(key);
        else if (typeof value === 'string') chain.put(key, value, { valueEncoding: 'utf8' });
        else chain.put(key, value, { valueEncoding: 'view' });
      }
      await chain.write({ sync: at + SLICE >= writes.length });
    }
  }

  private readonly fail = (error: unknown): void => {
    this.failed ??= error;
  };

  private failure(): Error {
    return new Error('The data directory cannot be written.', { cause: this.failed });
  }
}

/** What else this turn of the event loop stages joins the same write. */
const endOfTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

const BELOW = Symbol('below');
