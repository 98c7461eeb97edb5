import type { IncomingMessage } from 'node:http';
import { BodyPool, type UnfinishedBody } from './body-pool.ts';

/** A body that was not read to its end. */
type UnreadBody = 'too_large' | 'too_slow' | 'evicted';

interface BodyReaderOptions {
  /** Bytes of unfinished bodies up to {@link SMALL_BODY_BYTES} each. */
  readonly smallBytes: number;
  /** Bytes of larger ones. */
  readonly largeBytes: number;
  /** Interval of the look at bodies that are not complete. */
  readonly intervalMs?: number;
}

/** Most requests fit: large uploads never evict them. */
const SMALL_BODY_BYTES = 16 * 1024;
/** Longest time of a body, after its headers. There is no least rate: the pools bound the memory of slow bodies. */
const MAX_SECONDS = 30;

interface Pools {
  readonly small: BodyPool;
  readonly large: BodyPool;
}

interface BodyOptions {
  /** Largest size. */
  readonly limit: number;
  /** The client, for its share of the pools. */
  readonly network: string;
}

class IncompleteBody implements UnfinishedBody {
  seconds = 0;
  isOver = false;
  readonly network: string;
  readonly #limit: number;
  readonly #pools: Pools;
  readonly #onEnd: (result: Buffer | UnreadBody) => void;
  #size = 0;
  #bytes: Buffer | undefined;
  #pool: BodyPool | undefined;

  constructor(pools: Pools, { limit, network }: BodyOptions, onEnd: (result: Buffer | UnreadBody) => void) {
    this.network = network;
    this.#limit = limit;
    this.#pools = pools;
    this.#onEnd = onEnd;
  }

  take(chunk: Buffer): void {
    if (this.isOver) return;
    const size = this.#size + chunk.length;
    if (size > this.#limit) {
      this.finish('too_large');
      return;
    }
    // Many small chunks would need far more memory than their bytes, so they are gathered in one buffer that grows.
    const capacity = this.#bytes ? capacityFor(this.#bytes, { size, limit: this.#limit }) : chunk.length;
    this.#hold(capacity);
    if (this.isOver) return;
    if (this.#bytes === undefined) this.#bytes = chunk;
    else {
      if (this.#bytes.length < capacity) this.#bytes = grown(this.#bytes, { capacity, used: this.#size });
      chunk.copy(this.#bytes, this.#size);
    }
    this.#size = size;
  }

  complete(): void {
    this.finish(this.#bytes === undefined ? Buffer.alloc(0) : this.#bytes.subarray(0, this.#size));
  }

  evict(): void {
    this.finish('evicted');
  }

  finish(result: Buffer | UnreadBody): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#pool?.release(this);
    this.#bytes = undefined;
    this.#onEnd(result);
  }

  #hold(capacity: number): void {
    const pool = capacity > SMALL_BODY_BYTES ? this.#pools.large : this.#pools.small;
    if (pool !== this.#pool) this.#pool?.release(this);
    this.#pool = pool;
    pool.hold(this, capacity);
  }
}

/** Reads bodies of requests. Unfinished ones share two pools of bytes and have 30 s each. */
export class BodyReader {
  readonly #pools: Pools;
  readonly #intervalMs: number;
  readonly #incomplete = new Set<IncompleteBody>();
  #timer: NodeJS.Timeout | undefined;

  constructor({ smallBytes, largeBytes, intervalMs = 1_000 }: BodyReaderOptions) {
    this.#pools = { small: new BodyPool(smallBytes), large: new BodyPool(largeBytes) };
    this.#intervalMs = intervalMs;
  }

  /** Bytes of unfinished bodies. */
  get held(): number {
    return this.#pools.small.held + this.#pools.large.held;
  }

  /** Rejects if the connection ends before the body. A body that is not read to its end leaves the request paused. */
  read(request: IncomingMessage, options: BodyOptions) {
    return new Promise<Buffer | UnreadBody>((resolve, reject) => {
      if (request.destroyed) {
        reject(endedEarly());
        return;
      }
      const body = new IncompleteBody(this.#pools, options, (result) => {
        this.#incomplete.delete(body);
        if (typeof result === 'string') request.pause();
        resolve(result);
      });
      request
        .on('data', (chunk: Buffer) => {
          body.take(chunk);
        })
        .on('end', () => {
          body.complete();
        })
        .on('close', () => {
          if (body.isOver) return;
          reject(endedEarly());
          body.finish('too_slow');
        });
      this.#add(body);
    });
  }

  #add(incomplete: IncompleteBody): void {
    this.#incomplete.add(incomplete);
    this.#timer ??= setInterval(() => {
      this.#endSlowBodies();
    }, this.#intervalMs).unref();
  }

  #endSlowBodies(): void {
    if (this.#incomplete.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    for (const each of this.#incomplete) {
      each.seconds += 1;
      if (each.seconds > MAX_SECONDS) each.finish('too_slow');
    }
  }
}

const endedEarly = () => new Error('The connection ended before the body.');

function capacityFor(body: Buffer, { size, limit }: { size: number; limit: number }): number {
  if (size <= body.length) return body.length;
  const most = size <= SMALL_BODY_BYTES ? Math.min(limit, SMALL_BODY_BYTES) : limit;
  return Math.min(most, Math.max(size, 2 * body.length));
}

function grown(body: Buffer, { capacity, used }: { capacity: number; used: number }): Buffer {
  const larger = Buffer.allocUnsafeSlow(capacity);
  body.copy(larger, 0, 0, used);
  return larger;
}
