import {
  closeSync,
  fdatasync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  writeSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import type { WriteRow } from './disk.ts';
import { type DiskValue, isBytes } from './disk-value.ts';
import type { Write, Writes } from './write-layer.ts';

/**
 * A record: length of the payload, CRC-32 of the payload, payload. Each entry of a payload is a kind, a key and a
 * value.
 */
const HEADER_BYTES = 8;
const ENTRY_BYTES = 9;
/** UTF-8 needs at most three bytes for a UTF-16 unit. */
const BYTES_PER_UNIT = 3;
const SCRATCH_BYTES = 1 << 20;
const DELETION = 0;
const TEXT = 1;
const BYTES = 2;
/** No descriptor: Node refuses a write to it. The number of the closed file may be another file's, or a socket's. */
const CLOSED = -1;
const FILE = /^\d{10}\.journal$/;

const flush = promisify(fdatasync);

/**
 * Writes in order, in numbered files of one directory. When `append` returns, the operating system has the write (it
 * survives `kill -9`); when `sync` resolves, the write is on the device. A torn or damaged record ends the replay.
 */
export class Journal {
  /** Bytes in the newest file. */
  size = 0;
  readonly #directory: string;
  /** The open directory: a file is on the device only if its directory entry is. */
  readonly #names: number;
  #number: number;
  #file: number;
  #scratch = Buffer.allocUnsafe(SCRATCH_BYTES);
  /** Bytes of the record that is being encoded. */
  #length = HEADER_BYTES;
  /** The newest file ends with a part of a record, which a failed write left. */
  #isTorn = false;
  #synced: Promise<void> = Promise.resolve();

  /** Appends after the existing files, to a new file. */
  constructor(directory: string) {
    this.#directory = directory;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.#names = openSync(directory, 'r');
    this.#number = Number(files(directory).at(-1)?.slice(0, 10) ?? 0) + 1;
    this.#file = this.#create(this.#number);
  }

  /** The latest write of each key in all files. */
  static replay(directory: string): Writes {
    const writes: Writes = new Map();
    for (const name of files(directory)) {
      const bytes = readFileSync(join(directory, name));
      if (!readRecords(bytes, writes)) break;
    }
    return writes;
  }

  /** Appends all rows that `writeRows` writes or, when it throws, none: the caller may append them again. */
  append(writeRows: (write: WriteRow) => void): void {
    this.#cutTornRecord();
    this.#length = HEADER_BYTES;
    writeRows(this.#encode);
    if (this.#length > HEADER_BYTES) this.#writeRecord(this.#length);
  }

  /** Resolves when everything appended so far is on the device. */
  sync(): Promise<void> {
    const file = this.#file;
    this.#synced = this.#synced.then(() => flush(file));
    return this.#synced;
  }

  /**
   * Starts a new file. The returned function deletes the older files, once their writes are in LevelDB; it may be
   * called again when it failed.
   */
  rotate(): () => Promise<void> {
    // A torn record ends the replay: it may only be in the newest file.
    this.#cutTornRecord();
    const file = this.#file;
    const number = this.#number;
    const isSynced = this.sync();
    this.#file = this.#create(number + 1);
    this.#number = number + 1;
    this.size = 0;
    let isOpen = true;
    return async () => {
      await isSynced;
      if (isOpen) closeSync(file);
      isOpen = false;
      const old = files(this.#directory).filter((name) => Number(name.slice(0, 10)) <= number);
      for (const name of old) await rm(join(this.#directory, name));
    };
  }

  /** Closes the files, also when the last flush fails. */
  async close(): Promise<void> {
    try {
      await this.sync();
    } finally {
      closeSync(this.#file);
      closeSync(this.#names);
      this.#file = CLOSED;
    }
  }

  #writeRecord(length: number): void {
    const payload = this.#scratch.subarray(HEADER_BYTES, length);
    this.#scratch.writeUInt32LE(payload.length, 0);
    this.#scratch.writeUInt32LE(crc32(payload), 4);
    // A failed write may have written a part: the disk was full in between.
    this.#isTorn = true;
    try {
      for (let written = 0; written < length;)
        written += writeSync(this.#file, this.#scratch, written, length - written);
      this.#isTorn = false;
      this.size += length;
    } finally {
      if (this.#scratch.length > SCRATCH_BYTES) this.#scratch = Buffer.allocUnsafe(SCRATCH_BYTES);
      if (this.#isTorn) this.#tryToCut();
    }
  }

  #create(number: number): number {
    const path = join(this.#directory, `${String(number).padStart(10, '0')}.journal`);
    const file = openSync(path, 'ax', 0o600);
    this.#synced = this.#synced.then(() => flush(this.#names));
    return file;
  }

  #cutTornRecord(): void {
    if (!this.#isTorn) return;
    ftruncateSync(this.#file, this.size);
    this.#isTorn = false;
  }

  /** The next append tries again. Until then a replay stops at the torn record, which nothing follows. */
  #tryToCut(): void {
    try {
      this.#cutTornRecord();
    } catch {
      // The error of the write is thrown.
    }
  }

  readonly #encode: WriteRow = (key, value) => {
    const at = this.#length;
    this.#makeRoom(at, ENTRY_BYTES + BYTES_PER_UNIT * (key.length + unitsOf(value)));
    const scratch = this.#scratch;
    const keyBytes = scratch.write(key, at + ENTRY_BYTES);
    const valueAt = at + ENTRY_BYTES + keyBytes;
    let kind = DELETION;
    let valueBytes = 0;
    if (typeof value === 'string') {
      kind = TEXT;
      valueBytes = scratch.write(value, valueAt);
    } else if (value && isBytes(value)) {
      kind = BYTES;
      valueBytes = value.length;
      scratch.set(value, valueAt);
    } else if (value) {
      kind = TEXT;
      for (const piece of value) valueBytes += scratch.write(piece, valueAt + valueBytes);
    }
    scratch[at] = kind;
    scratch.writeUInt32LE(keyBytes, at + 1);
    scratch.writeUInt32LE(valueBytes, at + 5);
    this.#length = valueAt + valueBytes;
  };

  #makeRoom(used: number, more: number): void {
    if (used + more <= this.#scratch.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * this.#scratch.length, used + more));
    this.#scratch.copy(larger, 0, 0, used);
    this.#scratch = larger;
  }
}

/** Bytes, or UTF-16 units. */
function unitsOf(value: DiskValue = ''): number {
  if (typeof value === 'string' || isBytes(value)) return value.length;
  return value.reduce((sum, { length }) => sum + length, 0);
}

function files(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => FILE.test(name))
      .sort();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** Adds the writes of the intact records. Returns false if the file ends with a damaged record. */
function readRecords(bytes: Buffer, writes: Writes): boolean {
  let at = 0;
  while (at + HEADER_BYTES <= bytes.length) {
    const end = at + HEADER_BYTES + bytes.readUInt32LE(at);
    const payload = bytes.subarray(at + HEADER_BYTES, end);
    if (end > bytes.length || crc32(payload) !== bytes.readUInt32LE(at + 4)) return false;
    readEntries(payload, writes);
    at = end;
  }
  return at === bytes.length;
}

function valueOf(
  kind: number | undefined,
  payload: Buffer,
  { valueAt, end }: { valueAt: number; end: number },
): Write['value'] {
  if (kind === DELETION) return undefined;
  return kind === TEXT ? payload.toString('utf8', valueAt, end) : payload.subarray(valueAt, end);
}

function readEntries(payload: Buffer, writes: Writes): void {
  let at = 0;
  while (at < payload.length) {
    const kind = payload[at];
    const valueAt = at + ENTRY_BYTES + payload.readUInt32LE(at + 1);
    const end = valueAt + payload.readUInt32LE(at + 5);
    const key = payload.toString('utf8', at + ENTRY_BYTES, valueAt);
    writes.set(key, { value: valueOf(kind, payload, { valueAt, end }), isNew: false });
    at = end;
  }
}
