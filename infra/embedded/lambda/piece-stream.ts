/** The output side of `InvokeWithResponseStream`: each piece is there for the caller as soon as it is written. */
export interface StreamEvent {
  PayloadChunk?: { Payload: Uint8Array };
  InvokeComplete?: { ErrorCode?: string; ErrorDetails?: string };
}

/** An unbounded channel for one reader. A reader that stops early leaves the function running, as on AWS. */
export class PieceStream implements AsyncIterable<StreamEvent>, AsyncIterator<StreamEvent, undefined> {
  private readonly ready: StreamEvent[] = [];
  private read = 0;
  private ended = false;
  private waiting: ((result: IteratorResult<StreamEvent, undefined>) => void) | undefined;

  push(event: StreamEvent): void {
    if (this.ended) return;
    this.ended = event.InvokeComplete !== undefined;
    const { waiting } = this;
    if (waiting) {
      this.waiting = undefined;
      waiting({ value: event, done: false });
    } else this.ready.push(event);
  }

  next(): Promise<IteratorResult<StreamEvent, undefined>> {
    const event = this.ready[this.read];
    if (event !== undefined) {
      this.read += 1;
      if (this.read === this.ready.length) this.read = this.ready.length = 0;
      return Promise.resolve({ value: event, done: false });
    }
    if (this.ended) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve) => {
      this.waiting = resolve;
    });
  }

  return(): Promise<IteratorResult<StreamEvent, undefined>> {
    this.ended = true;
    this.ready.length = this.read = 0;
    return Promise.resolve({ value: undefined, done: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
