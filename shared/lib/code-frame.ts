import { cut } from './cut.ts';

/** Columns of the shown part of a line, and of the part before the caret. */
const WIDTH = 120;
const BEFORE = 80;
const INDENT = '    ';

/**
 * Characters that have no column of their own, or would end the line: each is replaced by a space, so that the caret
 * keeps its column.
 */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/**
 * A line of code, and below it a caret at a column, counted from 0. Undefined for a line without text. At most 300
 * characters.
 */
export function codeFrame(line: string, column: number): string | undefined {
  const at = Math.max(0, Math.min(Math.trunc(column) || 0, line.length));
  const from = Math.max(0, at - BEFORE);
  const part = cut(line.slice(from), WIDTH).replace(UNSHOWN, ' ');
  const shown = part.trimStart();
  if (shown === '') return undefined;
  const caret = Math.max(0, at - from - (part.length - shown.length));
  return `${INDENT}${shown.trimEnd()}\n${INDENT}${' '.repeat(caret)}^`;
}
