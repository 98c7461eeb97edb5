import { statfsSync } from 'node:fs';

/** New data is refused below both: the rest is for what was accepted, and for deletions. */
const RESERVED_FRACTION = 0.05;
const RESERVED_BYTES = 200 * 1024 * 1024;
/** Below this part of the reserve no further component runs: the rest is for the deliveries that are due. */
const RUNS_PART = 0.5;
/** A file system is asked at most this often. */
const KEPT_MS = 250;

interface FileSystem {
  readonly free: number;
  readonly size: number;
}

/** The free space of the file system of a directory. */
export class DiskSpace {
  readonly #path: string;
  readonly #now: () => number;
  #known: FileSystem | undefined;
  #readAt = -Infinity;

  constructor(path: string, now: () => number = () => performance.now()) {
    this.#path = path;
    this.#now = now;
  }

  /** Endless where the system does not say. */
  get freeBytes(): number {
    return this.#read()?.free ?? Infinity;
  }

  /** Whether new data must be refused. */
  get isLow(): boolean {
    return this.#isBelow(1);
  }

  /** Whether no further component may run. */
  get isNearlyFull(): boolean {
    return this.#isBelow(RUNS_PART);
  }

  /** Whether new data would have to be refused after so many more bytes. */
  isLowAfter(bytes: number): boolean {
    return this.#isBelow(1, bytes);
  }

  #isBelow(part: number, taken = 0): boolean {
    const known = this.#read();
    if (!known) return false;
    const free = known.free - taken;
    const { size } = known;
    return free < part * RESERVED_BYTES && free < part * RESERVED_FRACTION * size;
  }

  #read(): FileSystem | undefined {
    const now = this.#now();
    if (now - this.#readAt < KEPT_MS) return this.#known;
    this.#readAt = now;
    try {
      const { bavail, blocks, bsize } = statfsSync(this.#path);
      this.#known = { free: bavail * bsize, size: blocks * bsize };
    } catch {
      this.#known = undefined;
    }
    return this.#known;
  }
}
