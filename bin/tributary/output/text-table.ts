import stringWidth from 'string-width';
import { plainLine } from '../../plain-text.ts';

export interface Column<Item> {
  heading: string;
  of(item: Item): string | number | boolean | null | undefined;
}

/** Columns of this width are not cut. */
const MIN_WIDTH = 5;
const GAP = '  ';

/** Rows of the columns' texts, the headings first. */
export function cellsOf<Item>(items: readonly Item[], columns: readonly Column<Item>[]): string[][] {
  const rows = items.map((item) => columns.map(({ of }) => plainLine(String(of(item) ?? ''))));
  return [columns.map(({ heading }) => heading), ...rows];
}

export const tabSeparated = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.join('\t')).join('\n');

/** Aligns columns within a width; the widest columns are cut until the rows fit. Ids, in the first column, are cut last. */
export function fitted(rows: readonly (readonly string[])[], width: number): string[] {
  const [head = []] = rows;
  const widths = head.map((_, at) => Math.max(...rows.map((row) => stringWidth(row[at] ?? ''))));
  const total = () => widths.reduce((sum, each) => sum + each, GAP.length * (widths.length - 1));
  while (total() > width) {
    const others = widths.map((each, at) => (at === 0 ? 0 : each));
    const cuttable = Math.max(...others) > MIN_WIDTH ? others : widths;
    const widest = Math.max(...cuttable);
    if (widest <= MIN_WIDTH) break;
    const at = cuttable.indexOf(widest);
    widths[at] = Math.max(MIN_WIDTH, widest - (total() - width), secondWidest(cuttable, at));
  }
  return rows.map((row) =>
    row
      .map((cell, at) => padded(cell, widths[at] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
}

/** One less than the widest, so that columns of the same width are cut in turn. */
function secondWidest(widths: readonly number[], widest: number): number {
  const next = Math.max(MIN_WIDTH, ...widths.filter((_, at) => at !== widest));
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
