import type { Message } from 'esbuild';

/**
 * Name that the free `require` has in a call with a computed path, so that the compiler does not look for all files
 * that match. As long as `require`: positions stay.
 */
export const FREE_REQUIRE = '__req__';

/** A call of `require` with a computed path in a file of the component. */
export interface RequireCall {
  file: string;
  /** Counted from 1. */
  line: number;
  /** Characters before it in its line. */
  column: number;
}

/** Refusal of a computed path that would make the compiler search outside of the empty folder it starts in. */
export const COMPUTED_PATH = 'computed paths cannot be imported; write the path as a literal';
/** The compiler's words about a pattern of files. */
const PATTERN = /^(?:Could not resolve|The glob pattern) require\(/;

/**
 * The call with a computed path that a message is about. Undefined for a literal path, which stays refused, for an
 * import, and for a call that began on an earlier line.
 */
export function requireCallAt({ text, location }: Message): RequireCall | undefined {
  if (!location || !(text === COMPUTED_PATH || PATTERN.test(text))) return undefined;
  const { file, line, lineText } = location;
  // The compiler counts bytes.
  const before = Buffer.from(lineText).subarray(0, location.column).toString();
  const column = before.search(/\brequire\s*\(\s*$/);
  return column < 0 ? undefined : { file, line, column };
}

export const isSameCall = (a: RequireCall, b: RequireCall): boolean =>
  a.file === b.file && a.line === b.line && a.column === b.column;

/** The text of a file whose calls are left to the time of the run. */
export function withFreeRequires(text: string, calls: readonly RequireCall[]): string {
  if (calls.length === 0) return text;
  const lines = text.split('\n');
  for (const { line, column } of calls) {
    const found = lines[line - 1];
    if (found?.startsWith('require', column) === true)
      lines[line - 1] = found.slice(0, column) + FREE_REQUIRE + found.slice(column + FREE_REQUIRE.length);
  }
  return lines.join('\n');
}
