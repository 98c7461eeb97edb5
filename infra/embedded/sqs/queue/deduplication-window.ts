import { hash } from 'node:crypto';
import { SteadyTime } from '../../steady-time.ts';
import { DeduplicationRow, type RecentlySent } from './deduplication-row.ts';
import { type QueueDisk } from './queue-disk.ts';

/**
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/using-messagededuplicationid-property.html
 */
const WINDOW_MS = 300_000;
/** Keys whose windows end within this time share a bucket, which is dropped as a whole. */
const BUCKET_MS = 60_000;
/** A row is written again for each key that joins it after a commit. */
const MAX_ROW_KEYS = 32;

interface Bucket {
  /** End of the first key's window, in steady time. */
  readonly start: number;
  /** The rows on the disk, the oldest first: the number of each, and its end in ms after `start`. */
  readonly numbers: number[];
  readonly ends: number[];
  /** Digest of a key → index of its row. */
  readonly rows: Map<string, number>;
  /** Rows before this index are removed from the disk. */
  removed: number;
}

/** The first 16 bytes of SHA-256, as text. */
const digestOf = (key: string): string => hash('sha256', key, 'buffer').toString('base64url', 0, 16);

/**
 * The deduplication ids of the last five minutes, which outlive their messages. The ids of a millisecond share a row,
 * because each row takes time when it is written and when it is deleted.
 */
export class DeduplicationWindow {
  readonly #disk: QueueDisk;
  /** The oldest first. */
  readonly #buckets: Bucket[] = [];
  readonly #time = new SteadyTime();
  /** The last key looked for, which is the next one to remember. */
  #last: { readonly key: string; readonly digest: string } | undefined;
  /** The last row written, which the next key may join, and its end in steady time. */
  #newest: { readonly row: DeduplicationRow; readonly end: number } | undefined;

  constructor(disk: QueueDisk) {
    this.#disk = disk;
  }

  load(rows: readonly DeduplicationRow[], now: number): void {
    const time = this.#time.at(now);
    // An end further away was written before the clock was set back.
    const ends = rows.map((row) => ({ row, end: Math.min(row.until, time + WINDOW_MS) }));
    for (const { row, end } of ends.sort((a, b) => a.end - b.end)) {
      for (const digest of row.digests()) this.#add(digest, row.number, end);
    }
  }

  find(key: string, now: number): RecentlySent | undefined {
    const time = this.#time.at(now);
    this.#removeExpired(time);
    const digest = this.#digestOf(key);
    const bucket = this.#buckets.findLast(({ rows }) => rows.has(digest));
    if (!bucket) return undefined;
    const row = bucket.rows.get(digest) ?? 0;
    const number = bucket.numbers[row];
    if (number === undefined || bucket.start + (bucket.ends[row] ?? 0) <= time) return undefined;
    return this.#disk.readDeduplications(number)?.find(digest);
  }

  remember(key: string, sent: RecentlySent, now: number): void {
    const digest = this.#digestOf(key);
    const row = this.#rowFor(sent.number, now);
    row.add(digest, sent);
    this.#add(digest, row.number, this.#time.at(now) + WINDOW_MS);
    this.#disk.putDeduplications(row);
  }

  /** The last row while its keys hold until the same time, otherwise a new one. */
  #rowFor(number: number, now: number): DeduplicationRow {
    const until = now + WINDOW_MS;
    const end = this.#time.at(now) + WINDOW_MS;
    const newest = this.#newest;
    if (newest?.end === end && newest.row.until === until && newest.row.size < MAX_ROW_KEYS) return newest.row;
    const row = new DeduplicationRow(number, until);
    this.#newest = { row, end };
    return row;
  }

  #digestOf(key: string): string {
    if (this.#last?.key !== key) this.#last = { key, digest: digestOf(key) };
    return this.#last.digest;
  }

  /** Ends do not decrease from call to call. */
  #add(digest: string, number: number, end: number): void {
    let newest = this.#buckets.at(-1);
    if (!newest || end - newest.start >= BUCKET_MS) {
      newest = { start: end, numbers: [], ends: [], rows: new Map(), removed: 0 };
      this.#buckets.push(newest);
    }
    if (newest.numbers.at(-1) !== number) {
      newest.numbers.push(number);
      newest.ends.push(end - newest.start);
    }
    newest.rows.set(digest, newest.numbers.length - 1);
  }

  /**
   * Removes one row, as many as a call adds, or two while another bucket waits: a burst of deletions would delay other
   * writes.
   */
  #removeExpired(time: number): void {
    const expired = this.#buckets.slice(0, 2).filter(({ start }) => start + BUCKET_MS <= time);
    for (let left = expired.length; left > 0;) {
      const [oldest] = this.#buckets;
      if (!oldest || oldest.start + BUCKET_MS > time) return;
      const number = oldest.numbers[oldest.removed];
      if (number === undefined) {
        this.#buckets.shift();
        continue;
      }
      oldest.removed += 1;
      left -= 1;
      this.#disk.deleteDeduplications(number);
    }
  }
}
