import { AgeOrderedMap } from '../age-ordered-map.ts';
import { SteadyTime } from '../steady-time.ts';
import { type QueueDisk, type RecentlySent } from './queue-disk.ts';

/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/using-messagededuplicationid-property.html */
const WINDOW_MS = 300_000;
/** Expired entries that one call removes: more than a call adds, and a moment's work after an hour without calls. */
const MAX_REMOVED_PER_CALL = 16;

/**
 * The deduplication ids of the last five minutes, which outlive their messages. Only the key and its end are in memory: at 1,000
 * messages a second there are 300,000 of them.
 */
export class DeduplicationWindow {
  readonly #disk: QueueDisk;
  readonly #ends = new AgeOrderedMap<number>();
  readonly #time = new SteadyTime();

  constructor(disk: QueueDisk) {
    this.#disk = disk;
  }

  load(entries: readonly { readonly key: string; readonly sent: RecentlySent }[], now: number): void {
    const time = this.#time.at(now);
    // An end further away was written before the clock was set back.
    const ends = entries.map(({ key, sent }) => ({ key, end: Math.min(sent.until, time + WINDOW_MS) }));
    for (const { key, end } of ends.sort((a, b) => a.end - b.end)) this.#ends.set(key, end);
  }

  find(key: string, now: number): RecentlySent | undefined {
    const time = this.#time.at(now);
    this.#removeExpired(time);
    const end = this.#ends.get(key);
    return end !== undefined && end > time ? this.#disk.readDeduplication(key) : undefined;
  }

  remember(key: string, { number, id }: { number: number; id: string }, now: number): void {
    this.#ends.set(key, this.#time.at(now) + WINDOW_MS);
    this.#disk.putDeduplication(key, { until: now + WINDOW_MS, number, id });
  }

  #removeExpired(time: number): void {
    for (let removed = 0; removed < MAX_REMOVED_PER_CALL; removed += 1) {
      const oldest = this.#ends.oldest();
      if (!oldest || oldest.value > time) return;
      this.#ends.deleteOldest();
      this.#disk.deleteDeduplication(oldest.key);
    }
  }
}
