interface RowsInput<Row> {
  /** The rows on the page. */
  shown: readonly Row[];
  current: readonly Row[];
  idOf: (row: Row) => string;
  /** Rows that are as high as their data keep the data that is shown. */
  keepsData?: boolean;
}

interface SteadyRows<Row> {
  rows: readonly Row[];
  /** The ids of rows that are no longer in the list. */
  gone: ReadonlySet<string>;
  /** New rows that would move those on the page. */
  waiting: number;
}

/** Rows in the order in which they are on the page. New ones come at its end only. */
export function steadyRows<Row>({
  shown,
  current,
  idOf,
  keepsData = false,
}: RowsInput<Row>): SteadyRows<Row> {
  const currentOf = new Map(current.map((row) => [idOf(row), row]));
  const shownIds = new Set(shown.map(idOf));
  const last = current.findLastIndex((row) => shownIds.has(idOf(row)));
  const below = last < 0 && shown.length > 0 ? [] : current.slice(last + 1);
  const kept = keepsData ? shown : shown.map((row) => currentOf.get(idOf(row)) ?? row);
  const gone = new Set([...shownIds].filter((id) => !currentOf.has(id)));
  const stayed = shown.length - gone.size;
  return { rows: [...kept, ...below], gone, waiting: current.length - below.length - stayed };
}
