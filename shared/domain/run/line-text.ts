/** `JSON.stringify` escapes tabs, so the first one ends the first part. */
export const SEPARATOR = '\t';

/**
 * A line of the runner's output, with its newline: JSON, and after a tab the member `json`. That text is JSON already
 * and may be most of the line, so it is neither quoted nor parsed with the rest.
 */
export const lineText = <Line extends LineWithJson>(line: Line): string => linePieces(line).join('');

interface LineWithJson {
  k: string;
  json?: string;
}

/** The parts of {@link lineText}: joined, a long one would be copied. */
export function linePieces<Line extends LineWithJson>({ json, ...head }: Line): string[] {
  return json === undefined ? [`${JSON.stringify(head)}\n`] : [`${JSON.stringify(head)}${SEPARATOR}`, json, '\n'];
}

export function lineHead(text: string): string {
  const at = text.indexOf(SEPARATOR);
  return at < 0 ? text : text.slice(0, at);
}

/**
 * The value of a line, with or without its newline; a member `json` may also be quoted. Throws a SyntaxError for other
 * text.
 */
export function lineValue(text: string): unknown {
  const at = text.indexOf(SEPARATOR);
  if (at < 0) return JSON.parse(text);
  const head: unknown = JSON.parse(text.slice(0, at));
  const json = text.slice(at + 1, text.endsWith('\n') ? -1 : undefined);
  return typeof head === 'object' ? { ...head, json } : head;
}
