const NEWLINE = 0x0a;
const EMPTY = Buffer.alloc(0);

/**
 * Cuts UTF-8 that arrives in chunks into lines. The work is linear in the bytes and the memory in the pending ones,
 * however many chunks a line has. Bytes are joined before they are decoded, because a character may be in two chunks.
 */
export class LineReader {
  /** Begins with the bytes of the line that is not complete yet. */
  #buffer: Buffer = EMPTY;
  #pending = 0;
  readonly #keptNewline: number;

  /** With `keepsNewline` each line ends in its newline, so that it can be passed on without being copied. */
  constructor({ keepsNewline = false } = {}) {
    this.#keptNewline = keepsNewline ? 1 : 0;
  }

  /** Bytes of the line that is not complete yet. */
  get pending(): number {
    return this.#pending;
  }

  push(chunk: Buffer): string[] {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    const lines: string[] = [];
    if (end > 0) {
      const text = this.#textUntil(chunk, end);
      for (let from = 0; from < text.length;) {
        const at = text.indexOf('\n', from);
        lines.push(text.slice(from, at + this.#keptNewline));
        from = at + 1;
      }
    }
    if (end < chunk.length) this.#keep(chunk, end);
    return lines;
  }

  /** The bytes of the line that is not complete yet; the next chunk begins a new one. */
  takePending(): Buffer {
    const bytes = this.#buffer.subarray(0, this.#pending);
    this.#buffer = EMPTY;
    this.#pending = 0;
    return bytes;
  }

  /** The last line, which has no newline; the next chunk begins a new one. */
  end(): string[] {
    return this.#pending > 0 ? [this.#take()] : [];
  }

  /** The pending bytes and those of the chunk before `end`, as text. */
  #textUntil(chunk: Buffer, end: number): string {
    if (this.#pending === 0) return chunk.toString('utf8', 0, end);
    this.#keep(chunk, 0, end);
    return this.#take();
  }

  #keep(chunk: Buffer, start: number, end = chunk.length): void {
    const pending = this.#pending + end - start;
    if (pending > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(pending, 2 * this.#buffer.length));
      this.#buffer.copy(larger, 0, 0, this.#pending);
      this.#buffer = larger;
    }
    chunk.copy(this.#buffer, this.#pending, start, end);
    this.#pending = pending;
  }

  #take(): string {
    const text = this.#buffer.toString('utf8', 0, this.#pending);
    this.#pending = 0;
    return text;
  }
}
