import { ClassicLevel } from 'classic-level';

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
  del(key: string): void;
  commit(): Promise<void>;
  /** Everything under a prefix in key order, as of the last commit. For loading at start and for large bodies. */
  entries(prefix: string): AsyncIterable<[key: string, value: string]>;
  keys(prefix: string): AsyncIterable<string>;
  close(): Promise<void>;
}

/** Says in one sentence what a person has to change. */
export class DataDirectoryUnusable extends Error {}
export class DataDirectoryInUse extends DataDirectoryUnusable {}

/** Flushed to the device at least this often; in between, the operating system holds what `kill -9` cannot take. */
const SYNC_EVERY_MS = 200;

export async function openDisk(path: string, { sync }: { sync: 'interval' | 'always' }): Promise<Disk> {
  const db = new ClassicLevel<string, string | Uint8Array>(path, {
    keyEncoding: 'utf8',
    writeBufferSize: 32 << 20,
  });
  try {
    await db.open();
  } catch (error) {
    if (isLocked(error)) {
      throw new DataDirectoryInUse(`Another process is using the data directory ${path}.`, { cause: error });
    }
    throw error;
  }
  return new LevelDisk(db, sync === 'always');
}

const isLocked = (error: unknown) =>
  error instanceof Error &&
  error.cause instanceof Error &&
  'code' in error.cause &&
  error.cause.code === 'LEVEL_LOCKED';

class LevelDisk implements Disk {
  private readonly db: ClassicLevel<string, string | Uint8Array>;
  private readonly syncAlways: boolean;
  private staged = new Map<string, string | Uint8Array | undefined>();
  private writing: Map<string, string | Uint8Array | undefined> | undefined;
  private stagedWritten: Promise<void> | undefined;
  private lastWrite: Promise<void> = Promise.resolve();
  private lastSyncAt = 0;
  private unsynced = false;
  private readonly syncTimer: NodeJS.Timeout;
  private failed: unknown;

  constructor(db: ClassicLevel<string, string | Uint8Array>, syncAlways: boolean) {
    this.db = db;
    this.syncAlways = syncAlways;
    this.syncTimer = setInterval(() => {
      if (this.unsynced && Date.now() - this.lastSyncAt >= SYNC_EVERY_MS) {
        this.unsynced = false;
        this.lastSyncAt = Date.now();
        void this.db
          .batch([{ type: 'put', key: '\u0000sync', value: '' }], { sync: true })
          .catch((error: unknown) => {
            this.failed = error;
          });
      }
    }, SYNC_EVERY_MS);
    this.syncTimer.unref();
  }

  get(key: string): string | undefined {
    const value = this.overlay(key);
    if (value !== NOT_STAGED)
      return typeof value === 'string' || value === undefined ? value : Buffer.from(value).toString();
    return this.db.getSync<string, string>(key, { valueEncoding: 'utf8' });
  }

  getBytes(key: string): Uint8Array | undefined {
    const value = this.overlay(key);
    if (value !== NOT_STAGED) return typeof value === 'string' ? Buffer.from(value) : value;
    return this.db.getSync<string, Uint8Array>(key, { valueEncoding: 'view' });
  }

  put(key: string, value: string | Uint8Array): void {
    this.staged.set(key, value);
  }

  del(key: string): void {
    this.staged.set(key, undefined);
  }

  commit(): Promise<void> {
    if (this.failed !== undefined)
      return Promise.reject(new Error('The data directory cannot be written.', { cause: this.failed }));
    if (this.staged.size === 0) return this.lastWrite;
    this.stagedWritten ??= this.lastWrite.then(endOfTurn).then(() => this.write());
    return this.stagedWritten;
  }

  async *entries(prefix: string): AsyncIterable<[string, string]> {
    const range = { gte: prefix, lt: `${prefix}\uffff`, keyEncoding: 'utf8', valueEncoding: 'utf8' } as const;
    for await (const entry of this.db.iterator<string, string>(range)) yield entry;
  }

  keys(prefix: string): AsyncIterable<string> {
    return this.db.keys({ gte: prefix, lt: `${prefix}\uffff` });
  }

  async close(): Promise<void> {
    clearInterval(this.syncTimer);
    await this.commit();
    await this.lastWrite;
    await this.db.close();
  }

  /** What is staged or being written under a key; `undefined` stands for a deletion. */
  private overlay(key: string): string | Uint8Array | undefined | typeof NOT_STAGED {
    if (this.staged.has(key)) return this.staged.get(key);
    if (this.writing?.has(key)) return this.writing.get(key);
    return NOT_STAGED;
  }

  private write(): Promise<void> {
    const batch = this.staged;
    this.staged = new Map();
    this.writing = batch;
    this.stagedWritten = undefined;
    const now = Date.now();
    const sync = this.syncAlways || now - this.lastSyncAt >= SYNC_EVERY_MS;
    if (sync) this.lastSyncAt = now;
    this.unsynced = !sync;
    const chain = this.db.batch();
    for (const [key, value] of batch) {
      if (value === undefined) chain.del(key);
      else if (typeof value === 'string') chain.put(key, value, { valueEncoding: 'utf8' });
      else chain.put(key, value, { valueEncoding: 'view' });
    }
    const done = chain.write({ sync }).then(
      () => {
        this.writing = undefined;
      },
      (error: unknown) => {
        this.failed = error;
        throw error;
      },
    );
    this.lastWrite = done;
    return done;
  }
}

/** What else this turn of the event loop stages joins the same write. */
const endOfTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

const NOT_STAGED = Symbol('not staged');
