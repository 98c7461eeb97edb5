/** An event of `InvokeWithResponseStream`. The caller gets each piece as soon as the function writes it. */
export interface StreamEvent {
  PayloadChunk?: { Payload: Uint8Array };
  InvokeComplete?: { ErrorCode?: string; ErrorDetails?: string };
}

/** An unbounded channel for one reader. If the reader stops early, the function keeps running, as on AWS. */
export class PieceStream implements AsyncIterable<StreamEvent>, AsyncIterator<StreamEvent, undefined> {
  readonly #ready: StreamEvent[] = [];
  #read = 0;
  #ended = false;
  #waiting: ((result: IteratorResult<StreamEvent, undefined>) => void) | undefined;

  push(event: StreamEvent): void {
    if (this.#ended) return;
    this.#ended = event.InvokeComplete !== undefined;
    const waiting = this.#waiting;
    if (waiting) {
      this.#waiting = undefined;
      waiting({ value: event, done: false });
    } else this.#ready.push(event);
  }

  next(): Promise<IteratorResult<StreamEvent, undefined>> {
    const event = this.#ready[this.#read];
    if (event !== undefined) {
      this.#read += 1;
      if (this.#read === this.#ready.length) this.#read = this.#ready.length = 0;
      return Promise.resolve({ value: event, done: false });
    }
    if (this.#ended) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  return(): Promise<IteratorResult<StreamEvent, undefined>> {
    this.#ended = true;
    this.#ready.length = this.#read = 0;
    return Promise.resolve({ value: undefined, done: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
