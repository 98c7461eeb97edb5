import { createColors } from 'picocolors';
import { plainButStyles, plainJson, plainLine, plainLines } from '../../plain-text.ts';
import { cellOf, cellsOf, type Column, fitted, tabSeparated } from './text-table.ts';
import type { Terminal } from '../terminal.ts';
import { localDateTime, shortTime } from './times.ts';

export interface OutputOptions {
  json: boolean;
  quiet: boolean;
  /** All columns, nothing cut, times with their dates. */
  isWide: boolean;
  now?: () => number;
}

const idOf = (item: object): string => ('id' in item ? String(item.id) : '');

const DEFAULT_WIDTH = 80;

export type Output = ReturnType<typeof createOutput>;

/** Prints the results of commands: tables for people, JSON with `--json`, ids only with `-q`. */
export function createOutput(
  { stdout, stderr, env }: Pick<Terminal, 'stdout' | 'stderr' | 'env'>,
  { json, quiet, isWide, now = Date.now }: OutputOptions,
) {
  const isTerminal = stdout.isTTY === true;
  const isShort = isTerminal && !isWide;
  const timeText = (ms: number) => (isShort ? shortTime(ms, now()) : localDateTime(ms));
  const colors = createColors(isTerminal && (env['NO_COLOR'] ?? '') === '');
  const print = (text: string) => stdout.write(`${isTerminal ? plainButStyles(text) : text}\n`);
  const printJson = (value: unknown, indentation = isTerminal ? 2 : 0) =>
    print(plainJson(JSON.stringify(value, null, indentation)));

  return {
    json,
    quiet,
    isTerminal,
    isWide,
    colors,
    /** A time as the columns have it. */
    time: timeText,
    /** Whether columns are printed, rather than JSON or ids. */
    hasColumns: !json && !quiet,

    /** One object: its columns as lines. */
    object<Item extends object>(item: Item, columns: readonly Column<Item>[]): void {
      if (json) printJson(item);
      else if (quiet) print(idOf(item));
      else print(fields(cellsOf([item], visible(columns), timeText)));
    },

    list<Item extends object>(items: readonly Item[], columns: readonly Column<Item>[]): void {
      if (json) printJson(items);
      else if (quiet) for (const item of items) print(idOf(item));
      else table(items, columns);
    },

    deleted(id: string): void {
      if (json) printJson({ id, deleted: true });
      else print(quiet ? id : `Deleted ${plainLine(id)}.`);
    },

    /** A result for which a sentence says all; `-q` prints the id. */
    result(item: object, sentence: string): void {
      if (json) printJson(item);
      else print(quiet ? idOf(item) : plainLines(sentence));
    },

    /** Text that is the result itself, such as code. A file or another program gets it as it is. */
    text(text: string): void {
      const shown = isTerminal ? plainLines(text) : text;
      stdout.write(shown.endsWith('\n') ? shown : `${shown}\n`);
    },

    /** A document for people to read and to keep. */
    document: (value: object): void => {
      printJson(value, 2);
    },

    /** A line of a command that follows; `--json` prints one object a line. */
    follow(item: object, line: string): void {
      if (json) printJson(item, 0);
      else print(quiet && 'id' in item ? idOf(item) : line);
    },

    /** The columns of one item, as the line of a command that follows. */
    line: <Item>(item: Item, columns: readonly Column<Item>[]): string =>
      visible(columns)
        .map((column) => cellOf(column, item, timeText))
        .join('\t'),

    /** For people, beside the result. */
    note: (text: string): void => void stderr.write(`${plainLines(text)}\n`),
  };

  /** Names and values of one object. */
  function fields([headings = [], values = []]: readonly string[][]): string {
    const pairs = headings.map((heading, at) => [heading, values[at] ?? '']);
    if (!isTerminal) return tabSeparated(pairs);
    const width = Math.max(...headings.map(({ length }) => length));
    return pairs.map(([heading = '', value]) => `${colors.bold(heading.padEnd(width))}  ${value}`).join('\n');
  }

  function table<Item>(items: readonly Item[], columns: readonly Column<Item>[]): void {
    const shown = visible(columns);
    const rows = cellsOf(items, shown, timeText);
    if (!isTerminal) {
      print(tabSeparated(rows));
      return;
    }
    const width = isWide ? Infinity : (stdout.columns ?? DEFAULT_WIDTH);
    const [heading = '', ...lines] = fitted(shown, rows, width);
    print([colors.bold(heading), ...lines].join('\n'));
  }

  function visible<Item>(columns: readonly Column<Item>[]): readonly Column<Item>[] {
    return isWide ? columns : columns.filter((column) => column.isWide !== true);
  }
}
