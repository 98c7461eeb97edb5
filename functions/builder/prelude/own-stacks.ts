import { lastUpTo } from './last-up-to.ts';

/** The component's files and lines, as in `Positions`. */
export interface OwnLines {
  files: readonly string[];
  lines: readonly number[];
}

/**
 * Makes stacks name the component's own files and lines. `where` is the name of the compiled code in frames, which
 * `offset` other lines precede. `seen` takes the position in that code at which an error was thrown.
 */
export function mapStacks(
  { files, lines }: OwnLines,
  [where, offset]: readonly [where: string, offset: number],
  seen: (error: unknown, line: number, column: number) => void,
): void {
  function find(line: number): string | undefined {
    const [generated, file = 0, own] = lastUpTo(lines, 3, ([at = 0]) => at - line);
    return generated === line ? `${files[file]}:${own}` : undefined;
  }

  const lineOf = (frame: NodeJS.CallSite): number | undefined =>
    String(frame).includes(where) ? (frame.getLineNumber() ?? 0) - offset : undefined;

  function shown(frame: NodeJS.CallSite): string {
    const line = lineOf(frame);
    const position = line === undefined ? undefined : find(line);
    const text = String(frame);
    if (position === undefined) return text;
    return text.replace(`${where}:${frame.getLineNumber()}:${frame.getColumnNumber()}`, () => position);
  }

  Error.prepareStackTrace = (error, frames) => {
    const thrown = frames.find((frame) => find(lineOf(frame) ?? 0) !== undefined);
    const line = thrown && lineOf(thrown);
    if (line !== undefined) seen(error, line, (thrown?.getColumnNumber() ?? 0) - 1);
    return [headOf(error), ...frames.map((frame) => `    at ${shown(frame)}`)].join('\n');
  };
}

function headOf(error: Error): string {
  try {
    return String(error);
  } catch {
    return 'Error';
  }
}
