import fs from 'node:fs';
import { linePieces } from '../../../shared/domain/run/line-text.ts';
import type { RunnerLine } from '../../../shared/domain/run/run.ts';
import { LINES } from '../../../shared/runtime/descriptors.ts';
import type { OwnLine } from '../child-request.ts';

/** Captured before a component can replace them. */
const { writeSync } = fs;
const exit = process.exit.bind(process);

/** The most bytes of a UTF-16 unit in UTF-8. */
const LONGEST_UNIT = 3;
/** Encodes most lines: fresh memory for each costs more than its encoding. */
const kept = Buffer.allocUnsafeSlow(1024 * 1024);

/** Writes a line to the host. The pipe blocks, so a component that emits faster than the host reads is slowed down. */
export function writeLine(line: RunnerLine | OwnLine): void {
  const bytes = encoded(linePieces(line));
  try {
    for (let sent = 0; sent < bytes.length;) sent += writeSync(LINES, bytes, sent);
  } catch {
    // The host is gone, or the component closed the descriptor: no later line would be read.
    exit(1);
  }
}

/** The pieces in UTF-8, in memory that the next call may use again. */
function encoded(pieces: readonly string[]): Buffer {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  if (length * LONGEST_UNIT > kept.length) return Buffer.from(pieces.join(''));
  let end = 0;
  for (const piece of pieces) end += kept.write(piece, end);
  return kept.subarray(0, end);
}
