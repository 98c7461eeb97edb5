const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Generated line → line of a component's file; triples of generated line, index into `files`, line, all counted from 1. */
export interface Positions {
  files: string[];
  lines: number[];
}

/** Base-64 variable-length quantities, as source maps (revision 3) write their numbers. */
function quantities(segment: string): number[] {
  const numbers: number[] = [];
  let value = 0;
  let shift = 0;
  for (const character of segment) {
    const digit = DIGITS.indexOf(character);
    value += (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    value = 0;
    shift = 0;
  }
  return numbers;
}

/** Keeps of a source map what stacks of components need: the first position of each line that came from one of the named files. */
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
  let source = 0;
  let line = 0;
  for (const [generated, segments] of map.mappings.split(';').entries()) {
    let isFirst = true;
    for (const segment of segments.split(',')) {
      const [, sourceDelta, lineDelta] = quantities(segment);
      if (sourceDelta === undefined || lineDelta === undefined) continue;
      source += sourceDelta;
      line += lineDelta;
      const index = indexes[source] ?? -1;
      if (isFirst && index >= 0) lines.push(generated + 1, index, line + 1);
      isFirst = false;
    }
  }
  return { files, lines };
}
