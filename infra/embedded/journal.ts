import { closeSync, fdatasync, mkdirSync, openSync, readFileSync, readdirSync, writeSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';

/** Keys and what is to stand under them; `undefined` deletes. */
export type Writes = Map<string, string | Uint8Array | undefined>;

/** A record is the length of its payload, the payload's CRC-32, and the payload; each of its entries a kind, a key and a value. */
const HEADER_BYTES = 8;
const ENTRY_BYTES = 9;
/** UTF-8 needs at most three bytes for a UTF-16 unit. */
const BYTES_PER_UNIT = 3;
const SCRATCH_BYTES = 1 << 20;
const DELETION = 0;
const TEXT = 1;
const BYTES = 2;
const FILE = /^\d{10}\.journal$/;

const flush = promisify(fdatasync);

/**
 * What was written, in order, in numbered files of one directory. An append is with the operating system when it returns (survives
 * `kill -9`), and on the device once `sync` has resolved. A record that is torn or damaged ends what can be replayed.
 */
export class Journal {
  /** Bytes in the newest file. */
  size = 0;
  private readonly directory: string;
  /** The directory itself, open: a file is on the device only if its name is. */
  private readonly names: number;
  private number: number;
  private file: number;
  private scratch = Buffer.allocUnsafe(SCRATCH_BYTES);
  private synced: Promise<void> = Promise.resolve();

  /** Goes on after what is there, in a file of its own. */
  constructor(directory: string) {
    this.directory = directory;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.names = openSync(directory, 'r');
    this.number = Number(files(directory).at(-1)?.slice(0, 10) ?? 0) + 1;
    this.file = this.create();
  }

  /** What all files together say, the latest write of each key. */
  static replay(directory: string): Writes {
    const writes: Writes = new Map();
    for (const name of files(directory)) {
      const bytes = readFileSync(join(directory, name));
      if (!readRecords(bytes, writes)) break;
    }
    return writes;
  }

  append(writes: Writes): void {
    const length = this.encode(writes);
    for (let written = 0; written < length;)
      written += writeSync(this.file, this.scratch, written, length - written);
    this.size += length;
    if (this.scratch.length > SCRATCH_BYTES) this.scratch = Buffer.allocUnsafe(SCRATCH_BYTES);
  }

  /** Resolves when everything appended so far is on the device. */
  sync(): Promise<void> {
    const { file } = this;
    this.synced = this.synced.then(() => flush(file));
    return this.synced;
  }

  /** Starts a new file. The answer forgets the files before it: their writes are then elsewhere. */
  rotate(): () => Promise<void> {
    const { file, number } = this;
    const isSynced = this.sync();
    this.number += 1;
    this.file = this.create();
    this.size = 0;
    return async () => {
      await isSynced;
      closeSync(file);
      const old = files(this.directory).filter((name) => Number(name.slice(0, 10)) <= number);
      for (const name of old) await rm(join(this.directory, name));
    };
  }

  async close(): Promise<void> {
    await this.sync();
    closeSync(this.file);
    closeSync(this.names);
  }

  private create(): number {
    const path = join(this.directory, `${String(this.number).padStart(10, '0')}.journal`);
    this.synced = this.synced.then(() => flush(this.names));
    return openSync(path, 'ax', 0o600);
  }

  private encode(writes: Writes): number {
    let at = HEADER_BYTES;
    for (const [key, value] of writes) {
      this.makeRoom(at, ENTRY_BYTES + BYTES_PER_UNIT * (key.length + (value?.length ?? 0)));
      const { scratch } = this;
      const keyBytes = scratch.write(key, at + ENTRY_BYTES);
      const valueAt = at + ENTRY_BYTES + keyBytes;
      let kind = DELETION;
      let valueBytes = 0;
      if (typeof value === 'string') {
        kind = TEXT;
        valueBytes = scratch.write(value, valueAt);
      } else if (value) {
        kind = BYTES;
        valueBytes = value.length;
        scratch.set(value, valueAt);
      }
      scratch[at] = kind;
      scratch.writeUInt32LE(keyBytes, at + 1);
      scratch.writeUInt32LE(valueBytes, at + 5);
      at = valueAt + valueBytes;
    }
    this.scratch.writeUInt32LE(at - HEADER_BYTES, 0);
    this.scratch.writeUInt32LE(crc32(this.scratch.subarray(HEADER_BYTES, at)), 4);
    return at;
  }

  private makeRoom(used: number, more: number): void {
    if (used + more <= this.scratch.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * this.scratch.length, used + more));
    this.scratch.copy(larger, 0, 0, used);
    this.scratch = larger;
  }
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

/** Adds what the whole records say; answers whether there was nothing else. */
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

function readEntries(payload: Buffer, writes: Writes): void {
  let at = 0;
  while (at < payload.length) {
    const kind = payload[at];
    const valueAt = at + ENTRY_BYTES + payload.readUInt32LE(at + 1);
    const end = valueAt + payload.readUInt32LE(at + 5);
    const key = payload.toString('utf8', at + ENTRY_BYTES, valueAt);
    if (kind === DELETION) writes.set(key, undefined);
    else if (kind === TEXT) writes.set(key, payload.toString('utf8', valueAt, end));
    else writes.set(key, payload.subarray(valueAt, end));
    at = end;
  }
}
