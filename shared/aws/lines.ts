/** Cuts bytes that arrive in pieces into lines; empty ones do not count, the last one counts without its newline too. */
export class LineCutter {
  readonly #decoder = new TextDecoder();
  #rest = '';

  push(bytes: Uint8Array): string[] {
    const lines = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split('\n');
    this.#rest = lines.pop() ?? '';
    return lines.filter((line) => line !== '');
  }

  end(): string[] {
    const rest = this.#rest + this.#decoder.decode();
    return rest === '' ? [] : [rest];
  }
}
