import stringWidth from 'string-width';
import { plainLine } from '../../plain-text.ts';

interface ColumnTraits {
  heading: string;
  /** Never cut: an id, or an address. Times and the first column are not cut either. */
  isWhole?: boolean;
  /** Only with `-o wide`. */
  isWide?: boolean;
  /**
   * A narrow terminal drops the columns with a number first, the lowest number first, then the others from the last one
   * on.
   */
  drop?: number;
}

interface TextColumn<Item> extends ColumnTraits {
  of(item: Item): string | number | boolean | null | undefined;
}

/** A column of times, in ms since the epoch. */
interface TimeColumn<Item> extends ColumnTraits {
  at(item: Item): number | null | undefined;
}

export type Column<Item> = TextColumn<Item> | TimeColumn<Item>;

/** The tags of a source or a webhook; a service of an earlier release shows none. */
export const TAGS: Column<{ tags?: string[] | undefined }> = {
  heading: 'TAGS',
  drop: 0,
  of: ({ tags }) => tags?.join(', '),
};

/** Writes the time of a cell. */
export type TimeText = (ms: number) => string;

export function cellOf<Item>(column: Column<Item>, item: Item, timeText: TimeText): string {
  if ('of' in column) return plainLine(String(column.of(item) ?? ''));
  const ms = column.at(item);
  return ms == null ? '' : timeText(ms);
}

/** Rows of the columns' texts, the headings first. */
export function cellsOf<Item>(
  items: readonly Item[],
  columns: readonly Column<Item>[],
  timeText: TimeText,
): string[][] {
  const rows = items.map((item) => columns.map((column) => cellOf(column, item, timeText)));
  return [columns.map(({ heading }) => heading), ...rows];
}

export const tabSeparated = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.join('\t')).join('\n');

/** Columns of this width are not cut. */
const MIN_WIDTH = 8;
const GAP = '  ';

interface Fitted {
  at: number;
  width: number;
  /** Width to which it may be cut. */
  least: number;
  drop: number | undefined;
}

/**
 * Aligns columns within a width. Columns are dropped until the others fit when they are cut; then the widest ones are
 * cut.
 */
export function fitted<Item>(
  columns: readonly Column<Item>[],
  rows: readonly (readonly string[])[],
  width: number,
): string[] {
  const natural = columns.map((column, at): Fitted => {
    const widest = Math.max(...rows.map((row) => stringWidth(row[at] ?? '')));
    const isWhole = at === 0 || 'at' in column || column.isWhole === true;
    const least = isWhole ? widest : Math.min(widest, Math.max(MIN_WIDTH, stringWidth(column.heading)));
    return { at, width: widest, least, drop: column.drop };
  });
  const shown = cut(remaining(natural, width), width);
  return rows.map((row) =>
    shown
      .map(({ at, width: columnWidth }) => padded(row[at] ?? '', columnWidth))
      .join(GAP)
      .trimEnd(),
  );
}

const total = (widths: readonly number[]): number =>
  widths.reduce((sum, each) => sum + each, GAP.length * (widths.length - 1));

/** The columns that a terminal has room for. The first one stays. */
function remaining(columns: readonly Fitted[], width: number): readonly Fitted[] {
  const [first, ...others] = columns;
  const [next] = others.toSorted((a, b) => (a.drop ?? Infinity) - (b.drop ?? Infinity) || b.at - a.at);
  if (!first || !next || total(columns.map(({ least }) => least)) <= width) return columns;
  const fewer = columns.filter((column) => column !== next);
  return remaining(fewer, width);
}

/** Cuts the widest columns until the rows fit. */
function cut(columns: readonly Fitted[], width: number): Fitted[] {
  const widths = columns.map((column) => column.width);
  for (let over = total(widths) - width; over > 0; over = total(widths) - width) {
    const cuttable = columns.map(({ least }, at) => ((widths[at] ?? 0) > least ? (widths[at] ?? 0) : 0));
    const widest = Math.max(...cuttable);
    if (widest === 0) break;
    const at = cuttable.indexOf(widest);
    widths[at] = Math.max(columns[at]?.least ?? 0, widest - over, secondWidest(cuttable, at));
  }
  return columns.map((column, at) => ({ ...column, width: widths[at] ?? 0 }));
}

/** One less than the widest, so that columns of the same width are cut in turn. */
function secondWidest(widths: readonly number[], widest: number): number {
  const next = Math.max(...widths.filter((_, at) => at !== widest));
  return Math.min(next, (widths[widest] ?? 0) - 1);
}

function padded(text: string, width: number): string {
  const shown = shortened(text, width);
  return shown + ' '.repeat(Math.max(0, width - stringWidth(shown)));
}

const segments = new Intl.Segmenter();

function shortened(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let shown = '';
  for (const { segment } of segments.segment(text)) {
    if (stringWidth(shown + segment) > width - 1) break;
    shown += segment;
  }
  return `${shown}…`;
}
