import { LineReader } from '../../shared/lib/line-reader.ts';
import type { Output } from '../../functions/runner/output.ts';

/** Keeps the lines of the runner. */
export class LineOutput implements Output {
  readonly lines: string[] = [];
  readonly #reader = new LineReader();

  write(text: string): boolean {
    this.lines.push(...this.#reader.push(Buffer.from(text)));
    return true;
  }

  /** The lines stay in memory: there is nothing to wait for. */
  on(): this {
    return this;
  }

  off(): this {
    return this;
  }
}
