import { readFileSync } from 'node:fs';

/** A fenced block of a page. */
export interface Block {
  language: string;
  text: string;
  /** Exit code of the last command: `<!-- exit 1 -->` stands before a block whose command is to fail. */
  exitCode: number;
  /** Line of the page, counted from 1. */
  line: number;
}

/** The fenced blocks of a page, or of its part between two texts, in order. */
export function blocksOf(page: string, between?: readonly [string, string]): Block[] {
  const whole = readFileSync(page, 'utf8');
  const [begin = 0, end] = between?.map((mark) => whole.indexOf(mark)) ?? [];
  const text = whole.slice(begin, end);
  const fences = text.matchAll(/^(?:<!-- exit (\d) -->\n+)?```(\w*)\n(.*?)^```$/gms);
  return [...fences].map(({ 1: exitCode = '0', 2: language = '', 3: body = '', index }) => ({
    language,
    text: body,
    exitCode: Number(exitCode),
    line: whole.slice(0, begin + index).split('\n').length,
  }));
}

/** The name in the first line of a block that is a file: `// orders.mjs`. */
export const fileNameOf = ({ language, text }: Block): string | undefined =>
  language === 'js' || language === 'ts' ? /^\/\/ ([\w.-]+)\n/.exec(text)?.[1] : undefined;

/**
 * A pattern for a line of an output. `…` stands for any text. Times, dates and durations may differ, and so may the
 * width of columns: a terminal has spaces where a pipe has tabs.
 */
function linePattern(line: string): RegExp {
  const escaped = line.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = escaped
    .replace(/\d\d:\d\d:\d\d/g, '\\d\\d:\\d\\d:\\d\\d')
    .replace(/\d+ ms\b/g, '\\d+ ms')
    .replace(/\s+/g, '\\s+')
    .replaceAll('…', '.*');
  return new RegExp(`^\\s*${pattern}\\s*$`);
}

/** The first line of a promised output that an output lacks, in the order of the lines; undefined if it has all. */
export function missingLine(promised: string, output: string): string | undefined {
  const lines = output.split('\n');
  let from = 0;
  for (const line of promised.split('\n').filter((each) => each.trim() !== '')) {
    const pattern = linePattern(line);
    const at = lines.findIndex((each, index) => index >= from && pattern.test(each));
    if (at < 0) return line;
    from = at + 1;
  }
  return undefined;
}
