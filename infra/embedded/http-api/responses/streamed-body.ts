/** The client of a streamed response. */
export interface StreamReader {
  /** Fulfilled when the client has taken the piece, or is gone. */
  write(piece: Buffer): Promise<void>;
  /** Without `isWhole`, pieces are missing. */
  end(isWhole: boolean): void;
}

interface WaitingPiece {
  readonly piece: Buffer;
  readonly taken: () => void;
}

/** The body of a streamed response, between the function that writes it and the client that reads it. */
export class StreamedBody {
  readonly #onAbandoned: () => void;
  readonly #waiting: WaitingPiece[] = [];
  #reader: StreamReader | undefined;
  #end: { readonly isWhole: boolean } | undefined;

  constructor(onAbandoned: () => void) {
    this.#onAbandoned = onAbandoned;
  }

  push(piece: Buffer): Promise<void> {
    if (this.#reader) return this.#reader.write(piece);
    return new Promise((taken) => {
      this.#waiting.push({ piece, taken });
    });
  }

  end(isWhole: boolean): void {
    this.#end = { isWhole };
    this.#reader?.end(isWhole);
  }

  sendTo(reader: StreamReader): void {
    this.#reader = reader;
    for (const { piece, taken } of this.#waiting.splice(0)) void reader.write(piece).then(taken);
    if (this.#end) reader.end(this.#end.isWhole);
  }

  /** The client is gone: nothing reads further pieces. */
  abandon(): void {
    if (!this.#end) this.#onAbandoned();
  }
}
