/**
 * The durable store of the embedded cloud. Reads are synchronous and see staged writes, so a service can check and write without
 * locks. `commit` resolves when everything staged so far is written and survives `kill -9`; many callers share one write.
 */
export interface Disk {
  /** The value of a key, including staged writes. */
  get(key: string): string | undefined;
  getBytes(key: string): Uint8Array | undefined;
  /** Stages a write. The caller acknowledges nothing before `commit`. */
  put(key: string, value: string | Uint8Array): void;
  /** Stages a write of a key without a value. A deletion soon afterwards then costs almost nothing. */
  putNew(key: string, value: string | Uint8Array): void;
  del(key: string): void;
  commit(): Promise<void>;
  /** All entries under a prefix in key order, as of the last commit. For loading at start. */
  entries(prefix: string): AsyncIterable<[key: string, value: string]>;
  keys(prefix: string): AsyncIterable<string>;
  close(): Promise<void>;
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
}
