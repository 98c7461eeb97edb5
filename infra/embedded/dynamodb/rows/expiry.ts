import { type Clock } from '../../clock.ts';
import { type Row } from './row.ts';

/** DynamoDB deletes expired items "within a few days"; the embedded service deletes them within two minutes. */
const BUCKET_SECONDS = 60;
/**
 * DynamoDB ignores an expiry time further in the past:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/time-to-live-ttl-before-you-start.html
 */
const OLDEST_SECONDS = 5 * 365 * 24 * 3600;

/** Rows of a partition whose expiry times are in a part of the time, in epoch seconds. */
export interface Expired {
  readonly partition: string;
  readonly from: number;
  readonly before: number;
}

type Expiring = Pick<Row, 'partition' | 'expires'>;

/** Asks for the deletion of items whose time to live has passed. */
export class Expiry {
  /** Number of rows that expire in each minute, by partition: rows themselves may be packed. */
  readonly #buckets = new Map<number, Map<string, number>>();
  readonly #clock: Clock;
  readonly #remove: (expired: Expired[]) => void;
  #nextAt = Infinity;
  #cancel: () => void = () => undefined;

  constructor(clock: Clock, remove: (expired: Expired[]) => void) {
    this.#clock = clock;
    this.#remove = remove;
  }

  add(row: Expiring): void {
    if (row.expires < this.#clock.now() / 1000 - OLDEST_SECONDS) return;
    const bucket = bucketOf(row);
    let counts = this.#buckets.get(bucket);
    if (!counts) this.#buckets.set(bucket, (counts = new Map()));
    counts.set(row.partition, (counts.get(row.partition) ?? 0) + 1);
    if (bucket < this.#nextAt) this.#wakeFor(bucket);
  }

  delete(row: Expiring): void {
    const bucket = bucketOf(row);
    const counts = this.#buckets.get(bucket);
    const count = counts?.get(row.partition);
    if (!counts || count === undefined) return;
    if (count > 1) counts.set(row.partition, count - 1);
    else counts.delete(row.partition);
    if (counts.size === 0) this.#buckets.delete(bucket);
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
    const expired: Expired[] = [];
    for (const [bucket, counts] of this.#buckets) {
      if (bucket >= now) {
        next = Math.min(next, bucket);
        continue;
      }
      this.#buckets.delete(bucket);
      const from = bucket * BUCKET_SECONDS;
      for (const partition of counts.keys()) expired.push({ partition, from, before: from + BUCKET_SECONDS });
    }
    if (expired.length > 0) this.#remove(expired);
    if (next < Infinity) this.#wakeFor(next);
  }
}

function bucketOf(row: Expiring): number {
  return Math.floor(row.expires / BUCKET_SECONDS);
}
