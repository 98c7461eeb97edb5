import { isUtf8 } from 'node:buffer';
import { LineReader } from '../../shared/lib/line-reader.ts';
import { SEPARATOR } from '../../shared/domain/run/line-text.ts';
import { kindOf, LONGEST_CHECKED_EVENT } from '../../shared/domain/run/runner-line.ts';

/** A line of a child. */
export interface ChildLine {
  /** The whole line with its newline; that of a long event ends with the separator. */
  readonly text: string;
  /** The whole line of a long event in UTF-8, which is passed on without being decoded. */
  readonly utf8?: Buffer;
}

/** The line as text alone. */
export const decoded = ({ text, utf8 }: ChildLine): ChildLine => ({ text: utf8?.toString('utf8') ?? text });

/** Smaller chunks are joined: a component that writes byte by byte must not make as many buffers. */
const SMALLEST_PIECE = 4096;
const BLOCK_BYTES = 16_384;
/** The part until the separator has the event's id, name and summary. */
const LONGEST_HEAD = 65_536;
const NEWLINE = 0x0a;
const TAB = SEPARATOR.charCodeAt(0);

/** Cuts the output of a child into lines. */
export class ChildLines {
  readonly #short = new LineReader({ keepsNewline: true });
  #long: Pieces | undefined;

  /** Bytes of the line that is not complete yet. */
  get pending(): number {
    return this.#long?.bytes ?? this.#short.pending;
  }

  /** The lines that this chunk completes. */
  push(chunk: Buffer): ChildLine[] {
    const lines: ChildLine[] = [];
    let rest = chunk;
    if (this.#long) {
      const end = chunk.indexOf(NEWLINE) + 1;
      this.#long.add(end > 0 ? chunk.subarray(0, end) : chunk);
      if (end === 0) return [];
      lines.push(lineOf(this.#long.joined()));
      this.#long = undefined;
      rest = chunk.subarray(end);
    }
    for (const text of this.#short.push(rest)) lines.push({ text });
    if (this.#short.pending > LONGEST_CHECKED_EVENT) this.#long = new Pieces(this.#short.takePending());
    return lines;
  }

  /** Drops the line that is not complete yet. */
  drop(): void {
    this.#long = undefined;
    this.#short.takePending();
  }
}

/** The bytes of one line in the order of their arrival. */
class Pieces {
  bytes = 0;
  readonly #pieces: Buffer[] = [];
  /** Joins small pieces. */
  #block: Buffer | undefined;
  #used = 0;

  constructor(first: Buffer) {
    this.add(first);
  }

  add(piece: Buffer): void {
    this.bytes += piece.length;
    let rest = piece;
    if (this.#block) rest = rest.subarray(this.#fill(this.#block, rest));
    if (rest.length >= SMALLEST_PIECE) this.#pieces.push(rest);
    else if (rest.length > 0) {
      this.#block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
      this.#used = 0;
      this.#fill(this.#block, rest);
    }
  }

  joined(): Buffer {
    if (this.#block) this.#pieces.push(this.#block.subarray(0, this.#used));
    return Buffer.concat(this.#pieces, this.bytes);
  }

  /** Returns the number of bytes that the block had room for. A full block becomes a piece. */
  #fill(block: Buffer, piece: Buffer): number {
    const copied = piece.copy(block, this.#used);
    this.#used += copied;
    if (this.#used === block.length) {
      this.#pieces.push(block);
      this.#block = undefined;
    }
    return copied;
  }
}

function lineOf(utf8: Buffer): ChildLine {
  const end = utf8.subarray(0, LONGEST_HEAD).indexOf(TAB) + 1;
  const text = utf8.toString('utf8', 0, end);
  // A line may be long because of its head. Bytes that are not UTF-8 become more when they are decoded.
  const isLong = utf8.length - end - 1 > LONGEST_CHECKED_EVENT && isUtf8(utf8);
  return isLong && kindOf(text) === 'emit' ? { text, utf8 } : { text: utf8.toString('utf8') };
}
