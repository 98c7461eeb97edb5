import { type Clock } from '../clock.ts';
import { type Row } from './row.ts';

/** DynamoDB deletes expired items "within a few days"; the embedded service deletes them within two minutes. */
const BUCKET_SECONDS = 60;
/** DynamoDB ignores an expiry time further in the past: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/time-to-live-ttl-before-you-start.html */
const OLDEST_SECONDS = 5 * 365 * 24 * 3600;

/** Deletes items whose time to live has passed. */
export class Expiry {
  readonly #buckets = new Map<number, Set<Row>>();
  readonly #clock: Clock;
  readonly #remove: (rows: Iterable<Row>) => void;
  #nextAt = Infinity;
  #cancel: () => void = () => undefined;

  constructor(clock: Clock, remove: (rows: Iterable<Row>) => void) {
    this.#clock = clock;
    this.#remove = remove;
  }

  add(row: Row): void {
    if (row.expires < this.#clock.now() / 1000 - OLDEST_SECONDS) return;
    const bucket = bucketOf(row);
    const rows = this.#buckets.get(bucket);
    if (rows) rows.add(row);
    else this.#buckets.set(bucket, new Set([row]));
    if (bucket < this.#nextAt) this.#wakeFor(bucket);
  }

  delete(row: Row): void {
    const bucket = bucketOf(row);
    const rows = this.#buckets.get(bucket);
    if (rows?.delete(row) && rows.size === 0) this.#buckets.delete(bucket);
  }

  close(): void {
    this.#cancel();
    this.#nextAt = Infinity;
  }

  #wakeFor(bucket: number): void {
    this.#cancel();
    this.#nextAt = bucket;
    this.#cancel = this.#clock.wakeAt((bucket + 1) * BUCKET_SECONDS * 1000, () => {
      this.#sweep();
    });
  }

  #sweep(): void {
    const now = Math.floor(this.#clock.now() / 1000 / BUCKET_SECONDS);
    this.#nextAt = Infinity;
    let next = Infinity;
    for (const [bucket, rows] of this.#buckets) {
      if (bucket >= now) next = Math.min(next, bucket);
      else {
        this.#buckets.delete(bucket);
        this.#remove(rows);
      }
    }
    if (next < Infinity) this.#wakeFor(next);
  }
}

function bucketOf(row: Row): number {
  return Math.floor(row.expires / BUCKET_SECONDS);
}
