/** Cuts text that arrives in pieces into lines. It looks at every character once, however many pieces a line has. */
export class LineReader {
  #pieces: string[] = [];
  #pending = 0;
  readonly #keptNewline: number;

  /** With `keepsNewline` each line ends in its newline, so that it can be passed on without being copied. */
  constructor({ keepsNewline = false } = {}) {
    this.#keptNewline = keepsNewline ? 1 : 0;
  }

  /** Characters of the line that is not complete yet. */
  get pending(): number {
    return this.#pending;
  }

  /** The lines that this piece completes. */
  push(text: string): string[] {
    const lines: string[] = [];
    let from = 0;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
      this.#add(text.slice(from, at + this.#keptNewline));
      lines.push(this.#take());
      from = at + 1;
    }
    this.#add(text.slice(from));
    return lines;
  }

  /** The last line, which has no newline; the next piece begins a new one. */
  end(): string[] {
    return this.#pending > 0 ? [this.#take()] : [];
  }

  #add(piece: string): void {
    if (piece === '') return;
    this.#pieces.push(piece);
    this.#pending += piece.length;
  }

  #take(): string {
    const [first = ''] = this.#pieces;
    const line = this.#pieces.length === 1 ? first : this.#pieces.join('');
    this.#pieces = [];
    this.#pending = 0;
    return line;
  }
}
