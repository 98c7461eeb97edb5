import type { Message } from 'esbuild';

/**
 * The compiler reads the file of the last `sourceMappingURL` comment of a script, whatever file that is. This comment
 * comes last, and its map is empty. It is a line comment, because a block comment would end an open one.
 */
const LAST = '//# sourceMappingURL=data:application/json,{}';

/** The script with no source map for the compiler to read. Keeps all positions in the text. */
export function withoutSourceMap(text: string): string {
  return text.includes('sourceMappingURL') ? `${text}\n${LAST}` : text;
}

/** The position of a message about a script that may have a line more in the compiler: at most the end of its text. */
export function withinText(message: Message, text: string): Message {
  const { location } = message;
  const lines = text.split('\n');
  if (!location || location.line <= lines.length) return message;
  const lineText = lines.at(-1) ?? '';
  const column = Buffer.byteLength(lineText);
  return { ...message, location: { ...location, line: lines.length, column, lineText } };
}
