import { AwsError } from '../call.ts';
import type { DiskValue } from './disk-value.ts';

/**
 * The durable store of the embedded cloud. Reads are synchronous and see staged writes, so a service can check and
 * write without locks. `commit` resolves when everything staged so far is written and survives `kill -9`; many callers
 * share one write.
 */
export interface Disk {
  /**
   * The value of a key, including staged writes. Throws {@link DiskUnavailable} for some milliseconds after a full
   * disk.
   */
  get(key: string): string | undefined;
  getBytes(key: string): Uint8Array | undefined;
  /** Stages a write. The caller acknowledges nothing before `commit`. */
  put(key: string, value: DiskValue): void;
  /** Stages a write of a key without a value. A deletion soon afterwards then costs almost nothing. */
  putNew(key: string, value: DiskValue): void;
  del(key: string): void;
  /** From now on, commits and moves include the rows of this owner. */
  own(rows: OwnedRows): void;
  /**
   * Rejects with {@link DiskUnavailable} when the disk took no write: the staged writes stay staged, reads see them,
   * and they are written as soon as the disk takes writes again.
   */
  commit(): Promise<void>;
  /** The same for what reads see: all but the rows of owners. */
  commitRows(): Promise<void>;
  /** Writes everything staged with the next commit, or with the next flush to the device. */
  commitLater(): void;
  /** Why the last commit failed, and no later one succeeded. */
  readonly problem: DiskUnavailable | undefined;
  /** All entries under a prefix in key order, as of the last commit. For loading at start. */
  entries(prefix: string): AsyncIterable<[key: string, value: string]>;
  keys(prefix: string): AsyncIterable<string>;
  /** All entries of one moment after the call: whole commits, with each that was acknowledged before the call. */
  snapshot(): Promise<DiskSnapshot>;
  close(): Promise<void>;
}

/** Key and value as they are stored. */
export type RawEntry = readonly [key: Uint8Array, value: Uint8Array];

/** Entries that later writes do not change. The caller closes it. */
export interface DiskSnapshot {
  /** The entries under a prefix, or all, in key order, in slices that take the event loop about a millisecond. */
  slices(prefix?: string): AsyncIterable<readonly RawEntry[]>;
  close(): Promise<void>;
}

/** Writes a row, or without a value its deletion. */
export type WriteRow = (key: string, value: DiskValue | undefined) => void;

/**
 * Rows that their owner keeps in memory. Only the journal has them, for the next start: `get` does not see them. Before
 * the journal is deleted, the owner hands over the rows that are left, and most are deleted by then.
 */
export interface OwnedRows {
  /** Rows that were neither deleted nor handed over. */
  readonly size: number;
  /** A row changed since the last `written`. */
  readonly isChanged: boolean;
  /** Writes the changes. Called again, after further changes, when the disk took no write. */
  writeChanges(write: WriteRow): void;
  /** The journal has the changes. */
  written(): void;
  /** Puts every row, as the journal has it: the owner reads, changes and deletes it on the disk afterwards. */
  handOver(putNew: (key: string, value: DiskValue) => void): void;
}

/** The disk takes no writes. A service of AWS answers so when it is out of order. */
export class DiskUnavailable extends AwsError {
  /** The system's code, such as `ENOSPC`. */
  readonly code: string | undefined;

  constructor(cause: unknown) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    // Codes of Node begin with ERR_ and mean nothing to an operator.
    const shown = typeof code === 'string' && /^E[A-Z0-9]+$/.test(code) ? code : undefined;
    super('ServiceUnavailable', `The data directory cannot be written${shown ? ` (${shown})` : ''}.`, {
      statusCode: 503,
    });
    this.code = shown;
    this.cause = cause;
  }
}

/** The message asks the operator in one sentence for a change. */
export class DataDirectoryUnusable extends Error {}
export class DataDirectoryInUse extends DataDirectoryUnusable {}

export interface DiskOptions {
  /** `always`: a commit resolves only when it is on the device. */
  readonly sync: 'interval' | 'always';
  readonly journalBytes?: number;
  /** Waits between two batches that go from the journal to the store. */
  readonly pause?: (ms: number) => Promise<void>;
  /** Free bytes of the file system. Default: without end. */
  readonly freeBytes?: () => number;
}
