import type { IncomingMessage } from 'node:http';
import type { ByteBudget } from './byte-budget.ts';

/** A body that was not read to its end. */
type UnreadBody = 'too_large' | 'too_slow' | 'no_room';

interface BodyReaderOptions {
  readonly budget: ByteBudget;
  /** Interval of the look at bodies that are not complete. */
  readonly intervalMs?: number;
}

interface Incomplete {
  seconds: number;
  size: number;
  readonly end: () => void;
}

/** Longest time of a body, after its headers. */
const MAX_SECONDS = 30;
/** A body has this time before its rate counts. */
const FREE_SECONDS = 5;
/** Bytes per second, from the beginning of the body. */
const MIN_RATE = 1024;

/** Reads bodies of requests. The bytes of incomplete bodies count against a budget; a body that is too slow ends. */
export class BodyReader {
  readonly #budget: ByteBudget;
  readonly #intervalMs: number;
  readonly #incomplete = new Set<Incomplete>();
  #timer: NodeJS.Timeout | undefined;

  constructor({ budget, intervalMs = 1_000 }: BodyReaderOptions) {
    this.#budget = budget;
    this.#intervalMs = intervalMs;
  }

  /** Rejects if the connection ends before the body. A body that is not read to its end leaves the request paused. */
  read(request: IncomingMessage, { limit, address }: { limit: number; address: string }) {
    return new Promise<Buffer | UnreadBody>((resolve, reject) => {
      let body: Buffer | undefined;
      let reserved = 0;
      const finish = (result: Buffer | UnreadBody) => {
        if (reserved > 0) this.#budget.release(address, reserved);
        reserved = 0;
        this.#incomplete.delete(incomplete);
        request.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
        if (typeof result === 'string') request.pause();
        resolve(result);
      };
      const incomplete: Incomplete = {
        seconds: 0,
        size: 0,
        end: () => {
          finish('too_slow');
        },
      };
      const onData = (chunk: Buffer) => {
        const size = incomplete.size + chunk.length;
        if (size > limit) {
          finish('too_large');
          return;
        }
        // Many small chunks would need far more memory than their bytes, so they are gathered in one buffer that grows.
        const capacity = body === undefined ? chunk.length : capacityFor(body, { size, limit });
        if (capacity > reserved && !this.#budget.take(address, capacity - reserved)) {
          finish('no_room');
          return;
        }
        reserved = capacity;
        if (body === undefined) body = chunk;
        else {
          if (body.length < capacity) body = grown(body, { capacity, used: incomplete.size });
          chunk.copy(body, incomplete.size);
        }
        incomplete.size = size;
      };
      const onEnd = () => {
        finish(body === undefined ? Buffer.alloc(0) : body.subarray(0, incomplete.size));
      };
      const onError = (error: Error) => {
        finish('too_slow');
        reject(error);
      };
      const onClose = () => {
        onError(new Error('The connection ended before the body.'));
      };
      request.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
      this.#add(incomplete);
    });
  }

  #add(incomplete: Incomplete): void {
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
      if (isSlow || each.seconds > MAX_SECONDS) each.end();
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
