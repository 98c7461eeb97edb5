import type { IncomingMessage } from 'node:http';
import type { ByteBudget } from './byte-budget.ts';

/** A body that was not read to its end. */
type UnreadBody = 'too_large' | 'too_slow' | 'no_room';

interface BodyReaderOptions {
  readonly budget: ByteBudget;
  /** Interval of the look at bodies that are not complete. */
  readonly intervalMs?: number;
}

/** Longest time of a body, after its headers. */
const MAX_SECONDS = 30;
/** A body has this time before its rate counts. */
const FREE_SECONDS = 5;
/** Bytes per second, from the beginning of the body. */
const MIN_RATE = 1024;

interface BodyBudget {
  readonly budget: ByteBudget;
  readonly limit: number;
  readonly address: string;
}

class IncompleteBody {
  seconds = 0;
  size = 0;
  isOver = false;
  readonly #budget: BodyBudget;
  readonly #onEnd: (result: Buffer | UnreadBody) => void;
  #bytes: Buffer | undefined;
  #reserved = 0;

  constructor(budget: BodyBudget, onEnd: (result: Buffer | UnreadBody) => void) {
    this.#budget = budget;
    this.#onEnd = onEnd;
  }

  take(chunk: Buffer): void {
    if (this.isOver) return;
    const { budget, limit, address } = this.#budget;
    const size = this.size + chunk.length;
    if (size > limit) {
      this.finish('too_large');
      return;
    }
    // Many small chunks would need far more memory than their bytes, so they are gathered in one buffer that grows.
    const capacity = this.#bytes === undefined ? chunk.length : capacityFor(this.#bytes, { size, limit });
    if (capacity > this.#reserved && !budget.take(address, capacity - this.#reserved)) {
      this.finish('no_room');
      return;
    }
    this.#reserved = capacity;
    if (this.#bytes === undefined) this.#bytes = chunk;
    else {
      if (this.#bytes.length < capacity) this.#bytes = grown(this.#bytes, { capacity, used: this.size });
      chunk.copy(this.#bytes, this.size);
    }
    this.size = size;
  }

  complete(): void {
    this.finish(this.#bytes === undefined ? Buffer.alloc(0) : this.#bytes.subarray(0, this.size));
  }

  finish(result: Buffer | UnreadBody): void {
    if (this.isOver) return;
    this.isOver = true;
    if (this.#reserved > 0) this.#budget.budget.release(this.#budget.address, this.#reserved);
    this.#onEnd(result);
  }
}

/** Reads bodies of requests. The bytes of incomplete bodies count against a budget; a body that is too slow ends. */
export class BodyReader {
  readonly #budget: ByteBudget;
  readonly #intervalMs: number;
  readonly #incomplete = new Set<IncompleteBody>();
  #timer: NodeJS.Timeout | undefined;

  constructor({ budget, intervalMs = 1_000 }: BodyReaderOptions) {
    this.#budget = budget;
    this.#intervalMs = intervalMs;
  }

  /** Rejects if the connection ends before the body. A body that is not read to its end leaves the request paused. */
  read(request: IncomingMessage, { limit, address }: { limit: number; address: string }) {
    return new Promise<Buffer | UnreadBody>((resolve, reject) => {
      const body = new IncompleteBody({ budget: this.#budget, limit, address }, (result) => {
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
          reject(new Error('The connection ended before the body.'));
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
      const isSlow = each.seconds > FREE_SECONDS && each.size < each.seconds * MIN_RATE;
      if (isSlow || each.seconds > MAX_SECONDS) each.finish('too_slow');
    }
  }
}

const capacityFor = (body: Buffer, { size, limit }: { size: number; limit: number }) =>
  size <= body.length ? body.length : Math.min(limit, Math.max(size, 2 * body.length));

function grown(body: Buffer, { capacity, used }: { capacity: number; used: number }): Buffer {
  const larger = Buffer.allocUnsafeSlow(capacity);
  body.copy(larger, 0, 0, used);
  return larger;
}
