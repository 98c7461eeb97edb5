import { createColors } from 'picocolors';
import { plainButStyles, plainJson, plainLine, plainLines } from '../../plain-text.ts';
import { cellsOf, type Column, fitted, tabSeparated } from './text-table.ts';
import type { Terminal } from '../terminal.ts';

export interface OutputOptions {
  json: boolean;
  quiet: boolean;
}

const idOf = (item: object): string => ('id' in item ? String(item.id) : '');

const DEFAULT_WIDTH = 80;

export type Output = ReturnType<typeof createOutput>;

/** Prints the results of commands: tables for people, JSON with `--json`, ids only with `-q`. */
export function createOutput({ stdout, stderr, env }: Terminal, { json, quiet }: OutputOptions) {
  const isTerminal = stdout.isTTY === true;
  const colors = createColors(isTerminal && (env['NO_COLOR'] ?? '') === '');
  const print = (text: string) => stdout.write(`${isTerminal ? plainButStyles(text) : text}\n`);
  const printJson = (value: unknown, indentation = isTerminal ? 2 : 0) =>
    print(plainJson(JSON.stringify(value, null, indentation)));

  return {
    json,
    quiet,
    isTerminal,
    colors,

    /** One object: its columns as lines. */
    object<Item extends object>(item: Item, columns: readonly Column<Item>[]): void {
      if (json) printJson(item);
      else if (quiet) print(idOf(item));
      else print(fields(cellsOf([item], columns)));
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
    const rows = cellsOf(items, columns);
    if (!isTerminal) {
      print(tabSeparated(rows));
      return;
    }
    const [heading = '', ...lines] = fitted(rows, stdout.columns ?? DEFAULT_WIDTH);
    print([colors.bold(heading), ...lines].join('\n'));
  }
}
