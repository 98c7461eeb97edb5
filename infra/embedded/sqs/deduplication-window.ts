import { createHash } from 'node:crypto';
import { SteadyTime } from '../steady-time.ts';
import { DigestMap } from './digest-map.ts';
import { type QueueDisk, type RecentlySent } from './queue-disk.ts';

/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/using-messagededuplicationid-property.html */
const WINDOW_MS = 300_000;
/** Keys whose windows end within this time share a bucket, which is dropped as a whole. */
const BUCKET_MS = 30_000;

interface Bucket {
  /** End of the first key's window, in steady time. */
  readonly start: number;
  /** Digest of a key → end of its window, in ms after `start`. */
  readonly ends: DigestMap;
}

/** The first 16 bytes of SHA-256. */
const DIGEST_BYTES = 16;

/** A digest as words in memory, and as text on the disk. */
interface Digest {
  readonly words: Uint32Array;
  readonly text: string;
}

const textOf = (words: Uint32Array) =>
  Buffer.from(words.buffer, words.byteOffset, words.byteLength).toString('base64url');

function wordsOf(bytes: Buffer): Uint32Array {
  const words = new Uint32Array(DIGEST_BYTES / 4);
  bytes.copy(new Uint8Array(words.buffer), 0, 0, DIGEST_BYTES);
  return words;
}

function digestOf(key: string): Digest {
  const words = wordsOf(createHash('sha256').update(key).digest());
  return { words, text: textOf(words) };
}

/**
 * The deduplication ids of the last five minutes, which outlive their messages. Only a digest of each and its end are in memory: at 2,400
 * messages a second there are 720,000 of them.
 */
export class DeduplicationWindow {
  readonly #disk: QueueDisk;
  /** The oldest first. */
  readonly #buckets: Bucket[] = [];
  /** The digests of the oldest bucket that are not removed from the disk yet, once all of them have expired. */
  #expired: Iterator<Uint32Array> | undefined;
  readonly #time = new SteadyTime();
  /** The last key looked for, which is the next one to remember. */
  #last: { readonly key: string; readonly digest: Digest } | undefined;

  constructor(disk: QueueDisk) {
    this.#disk = disk;
  }

  load(entries: readonly { readonly key: string; readonly sent: RecentlySent }[], now: number): void {
    const time = this.#time.at(now);
    // An end further away was written before the clock was set back.
    const ends = entries.map(({ key, sent }) => ({ key, end: Math.min(sent.until, time + WINDOW_MS) }));
    for (const { key, end } of ends.sort((a, b) => a.end - b.end)) {
      const bytes = Buffer.from(key, 'base64url');
      // An older version kept the key itself.
      if (bytes.length === DIGEST_BYTES) this.#add(wordsOf(bytes), end);
      else this.#disk.deleteDeduplication(key);
    }
  }

  find(key: string, now: number): RecentlySent | undefined {
    const time = this.#time.at(now);
    this.#removeExpired(time);
    const { words, text } = this.#digestOf(key);
    const bucket = this.#buckets.findLast(({ ends }) => ends.get(words) !== undefined);
    const isKnown = bucket !== undefined && bucket.start + (bucket.ends.get(words) ?? 0) > time;
    return isKnown ? this.#disk.readDeduplication(text) : undefined;
  }

  remember(key: string, { number, id }: { number: number; id: string }, now: number): void {
    const { words, text } = this.#digestOf(key);
    this.#add(words, this.#time.at(now) + WINDOW_MS);
    this.#disk.putDeduplication(text, { until: now + WINDOW_MS, number, id });
  }

  #digestOf(key: string): Digest {
    if (this.#last?.key !== key) this.#last = { key, digest: digestOf(key) };
    return this.#last.digest;
  }

  /** Ends do not decrease from call to call. */
  #add(digest: Uint32Array, end: number): void {
    let newest = this.#buckets.at(-1);
    if (!newest || end - newest.start >= BUCKET_MS) {
      newest = { start: end, ends: new DigestMap() };
      this.#buckets.push(newest);
    }
    newest.ends.set(digest, end - newest.start);
  }

  /** Removes one key, as many as a call adds, or two while another bucket waits: a burst of deletions would delay other writes. */
  #removeExpired(time: number): void {
    const expired = this.#buckets.slice(0, 2).filter(({ start }) => start + BUCKET_MS <= time);
    for (let left = expired.length; left > 0;) {
      const [oldest] = this.#buckets;
      if (!oldest || oldest.start + BUCKET_MS > time) return;
      this.#expired ??= oldest.ends.digests();
      const { value: digest, done } = this.#expired.next();
      if (done === true) {
        this.#expired = undefined;
        this.#buckets.shift();
        continue;
      }
      left -= 1;
      // A key that was used again after its window is in a newer bucket, too.
      const isUsedAgain = this.#buckets.some(
        (bucket) => bucket !== oldest && bucket.ends.get(digest) !== undefined,
      );
      if (!isUsedAgain) this.#disk.deleteDeduplication(textOf(digest));
    }
  }
}
