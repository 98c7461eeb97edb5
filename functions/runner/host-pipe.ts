import fs from 'node:fs';
import { lineText } from '../../shared/domain/line-text.ts';
import type { RunnerLine } from '../../shared/domain/run.ts';
import { LINES } from '../../shared/runtime/descriptors.ts';
import type { OwnLine } from './child-request.ts';

/** Captured before a component can replace them. */
const { writeSync } = fs;
const exit = process.exit.bind(process);

/** Writes a line to the host. The pipe blocks, so a component that emits faster than the host reads is slowed down. */
export function writeLine(line: RunnerLine | OwnLine): void {
  const bytes = Buffer.from(lineText(line));
  try {
    for (let sent = 0; sent < bytes.length;) sent += writeSync(LINES, bytes, sent);
  } catch {
    // The host is gone, or the component closed the descriptor: no later line would be read.
    exit(1);
  }
}
