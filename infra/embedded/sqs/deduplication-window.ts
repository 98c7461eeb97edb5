import { SteadyTime } from '../steady-time.ts';
import { type QueueDisk, type RecentlySent } from './queue-disk.ts';

/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/using-messagededuplicationid-property.html */
const WINDOW_MS = 300_000;
/** Keys whose windows end within this time share a bucket, which is dropped as a whole. */
const BUCKET_MS = 30_000;

interface Bucket {
  /** End of the first key's window, in steady time. */
  readonly start: number;
  /** Key → end of its window, in ms after `start`: small integers, which V8 stores without an object. */
  readonly ends: Map<string, number>;
}

/**
 * The deduplication ids of the last five minutes, which outlive their messages. Only the key and its end are in memory, without a list of
 * the keys by age: at 2,400 messages a second there are 720,000 of them.
 */
export class DeduplicationWindow {
  readonly #disk: QueueDisk;
  /** The oldest first. */
  readonly #buckets: Bucket[] = [];
  /** The keys of the oldest bucket that are not removed from the disk yet, once all of them have expired. */
  #expired: Iterator<string> | undefined;
  readonly #time = new SteadyTime();

  constructor(disk: QueueDisk) {
    this.#disk = disk;
  }

  load(entries: readonly { readonly key: string; readonly sent: RecentlySent }[], now: number): void {
    const time = this.#time.at(now);
    // An end further away was written before the clock was set back.
    const ends = entries.map(({ key, sent }) => ({ key, end: Math.min(sent.until, time + WINDOW_MS) }));
    for (const { key, end } of ends.sort((a, b) => a.end - b.end)) this.#add(key, end);
  }

  find(key: string, now: number): RecentlySent | undefined {
    const time = this.#time.at(now);
    this.#removeExpired(time);
    const bucket = this.#buckets.findLast(({ ends }) => ends.has(key));
    const isKnown = bucket !== undefined && bucket.start + (bucket.ends.get(key) ?? 0) > time;
    return isKnown ? this.#disk.readDeduplication(key) : undefined;
  }

  remember(key: string, { number, id }: { number: number; id: string }, now: number): void {
    this.#add(key, this.#time.at(now) + WINDOW_MS);
    this.#disk.putDeduplication(key, { until: now + WINDOW_MS, number, id });
  }

  /** Ends do not decrease from call to call. */
  #add(key: string, end: number): void {
    let newest = this.#buckets.at(-1);
    if (!newest || end - newest.start >= BUCKET_MS) {
      newest = { start: end, ends: new Map() };
      this.#buckets.push(newest);
    }
    newest.ends.set(key, end - newest.start);
  }

  /** Removes one key, as many as a call adds, or two while another bucket waits: a burst of deletions would delay other writes. */
  #removeExpired(time: number): void {
    const expired = this.#buckets.slice(0, 2).filter(({ start }) => start + BUCKET_MS <= time);
    for (let left = expired.length; left > 0;) {
      const [oldest] = this.#buckets;
      if (!oldest || oldest.start + BUCKET_MS > time) return;
      this.#expired ??= oldest.ends.keys();
      const { value: key, done } = this.#expired.next();
      if (done === true) {
        this.#expired = undefined;
        this.#buckets.shift();
        continue;
      }
      left -= 1;
      // A key that was used again after its window is in a newer bucket, too.
      const isUsedAgain = this.#buckets.some((bucket) => bucket !== oldest && bucket.ends.has(key));
      if (!isUsedAgain) this.#disk.deleteDeduplication(key);
    }
  }
}
