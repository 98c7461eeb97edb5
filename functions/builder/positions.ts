/**
 * Maps generated lines to lines of component files: triples of generated line, index into `files` (from 0), and line.
 * Lines start at 1.
 */
export interface Positions {
  files: string[];
  lines: number[];
  /**
   * All positions, by which an error shows its code: generated line and column, index into `files`, line and column.
   * Columns start at 0.
   */
  points: number[];
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const COMMA = 44;
const SEMICOLON = 59;

const digitOf = new Uint8Array(128);
for (const [digit, character] of [...DIGITS].entries()) digitOf[character.charCodeAt(0)] = digit;

/** Indexes of source and line in a segment of a source map, revision 3. */
const SOURCE = 1;
const LINE = 2;
const COLUMN = 3;

/**
 * Extracts from a source map the positions that come from a component file, for stack traces. Reads the mappings in one
 * pass, because they may have megabytes.
 */
export function positionsOf(
  map: { sources: readonly string[]; mappings: string },
  nameOf: (source: string) => string | undefined,
): Positions {
  const files: string[] = [];
  const indexes = map.sources.map((source) => {
    const name = nameOf(source);
    return name === undefined ? -1 : files.push(name) - 1;
  });
  const lines: number[] = [];
  const points: number[] = [];
  const { mappings } = map;
  let [generated, source, line] = [1, 0, 1];
  let [generatedColumn, column] = [0, 0];
  let [field, value, shift] = [0, 0, 0];
  let isFirst = true;
  const endSegment = () => {
    const index = indexes[source] ?? -1;
    if (field > LINE && index >= 0) {
      if (isFirst) lines.push(generated, index, line);
      points.push(generated, generatedColumn, index, line, column);
    }
    if (field > 0) isFirst = false;
    field = 0;
  };
  for (let at = 0; at < mappings.length; at += 1) {
    const code = mappings.charCodeAt(at);
    if (code === COMMA || code === SEMICOLON) {
      endSegment();
      if (code === COMMA) continue;
      generated += 1;
      generatedColumn = 0;
      isFirst = true;
      continue;
    }
    const digit = digitOf[code] ?? 0;
    value |= (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    const delta = value & 1 ? -(value >> 1) : value >> 1;
    if (field === 0) generatedColumn += delta;
    if (field === SOURCE) source += delta;
    if (field === LINE) line += delta;
    if (field === COLUMN) column += delta;
    field += 1;
    value = 0;
    shift = 0;
  }
  endSegment();
  return { files, lines, points };
}
