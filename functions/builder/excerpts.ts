import { gzipSync } from 'node:zlib';
import { EXCERPT } from '../../shared/runtime/excerpt.ts';
import type { Positions } from './positions.ts';

/** Characters of the component's own files up to which a bundle carries them. Larger components show no code with their errors. */
const MAX_CHARACTERS = 256 * 1024;
/** Numbers of `points`: a point for every second character. */
const MAX_POINTS = 5 * (MAX_CHARACTERS / 2);

/**
 * Statements that define `__seen`, by which the prelude reports the generated position of an error, and the function that finds the line of
 * the component's code for an error. The code is packed, and unpacked with the first error.
 */
export function excerptCode({ points }: Pick<Positions, 'points'>, texts: readonly string[]): string {
  const size = texts.reduce((sum, text) => sum + text.length, 0);
  if (size === 0 || size > MAX_CHARACTERS || points.length > MAX_POINTS) return 'const __seen = () => {};';
  const packed = gzipSync(JSON.stringify({ points, texts })).toString('base64');
  return `const __seen = (() => {
  const seen = new WeakMap();
  const { parse } = JSON;
  let code;
  const unpack = () => parse(require('node:zlib').gunzipSync(Buffer.from('${packed}', 'base64')).toString());
  Object.defineProperty(globalThis, Symbol.for(${JSON.stringify(EXCERPT)}), { value: (error) => {
    void error.stack;
    const at = seen.get(error);
    if (!at) return undefined;
    const { points, texts } = (code ??= unpack());
    let low = 0, high = points.length / 5;
    while (low < high) {
      const middle = (low + high) >> 1, line = points[middle * 5];
      if (line < at.line || (line === at.line && points[middle * 5 + 1] <= at.column)) low = middle + 1; else high = middle;
    }
    const found = (low - 1) * 5;
    if (low === 0 || points[found] !== at.line) return undefined;
    return { line: texts[points[found + 2]].split(/\\r?\\n/, points[found + 3])[points[found + 3] - 1], column: points[found + 4] };
  } });
  return (error, line, column) => { if (error !== null && typeof error === 'object') seen.set(error, { line, column }); };
})();`;
}
