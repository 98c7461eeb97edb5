import { EXCERPT } from '../../../shared/runtime/excerpt.ts';
import { lastUpTo } from './last-up-to.ts';
import { gunzipped } from './gunzipped.ts';

/** The texts of the component's own files, and the points of the bundle in them, as in `Positions`. */
export interface OwnCode {
  points: readonly number[];
  texts: readonly string[];
}

/**
 * Defines the function that finds the line of the component's code for an error, and returns the one that takes the
 * position in the bundle at which an error was thrown. `packed` is an {@link OwnCode}; the first error unpacks it.
 */
export function thrownLines(packed: string) {
  const seen = new WeakMap<object, { line: number; column: number }>();
  // Captured before component code can replace it.
  const { parse } = JSON;
  let code: OwnCode | undefined;
  const unpack = (): OwnCode => parse(gunzipped(packed));

  function find(error: Error) {
    // Its computation reports the position.
    void error.stack;
    const at = seen.get(error);
    if (!at) return undefined;
    const { points, texts } = (code ??= unpack());
    const [generated, , file = 0, line = 0, column] = lastUpTo(
      points,
      5,
      ([line = 0, column = 0]) => line - at.line || column - at.column,
    );
    if (generated !== at.line) return undefined;
    return { line: texts[file]?.split(/\r?\n/, line)[line - 1], column };
  }

  Object.defineProperty(globalThis, Symbol.for(EXCERPT), { value: find });
  return (error: unknown, line: number, column: number): void => {
    if (error !== null && typeof error === 'object') seen.set(error, { line, column });
  };
}
