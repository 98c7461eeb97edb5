import { LineReader } from '../domain/line-reader.ts';

/** A {@link LineReader} of UTF-8, whose characters may be cut in two. It leaves out empty lines. */
export class LineCutter {
  readonly #decoder = new TextDecoder();
  readonly #reader = new LineReader();

  push(bytes: Uint8Array): string[] {
    return this.#reader.push(this.#decoder.decode(bytes, { stream: true })).filter((line) => line !== '');
  }

  end(): string[] {
    this.#reader.push(this.#decoder.decode());
    return this.#reader.end();
  }
}
