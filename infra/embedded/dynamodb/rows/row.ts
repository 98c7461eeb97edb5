import type { Attributes } from '../values/value.ts';

/** One version of an item, and its position in the table. A write makes a new row. */
export interface Row {
  /** One text for all stored rows of the partition. */
  partition: string;
  readonly sort: string;
  /** Expiry time in epoch seconds; 0: none. */
  readonly expires: number;
  /** Bytes of the item; -1 until the first read of a row that was loaded at start. */
  size: number;
  /** The item, while it is in the cache. */
  item: Attributes | undefined;
  /** Cache generation, see item-cache.ts. */
  generation: number;
}

/** The parts of a row that its key on disk holds. */
export type RowKey = Pick<Row, 'partition' | 'sort' | 'expires'>;

/** The only place that makes rows: objects of one shape are read faster. */
export function newRow({ partition, sort, expires }: RowKey, size: number, item?: Attributes): Row {
  return { partition, sort, expires, size, item, generation: 0 };
}

/** Rows in the order of their sort keys. An array of rows is one. */
export interface Rows {
  readonly length: number;
  at(index: number): Row | undefined;
}

/** Index of the first row for which `holds` is true. It must be true for all later rows, too. */
export function firstIndex(rows: Rows, holds: (sort: string) => boolean): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const row = rows.at(middle);
    if (row && holds(row.sort)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Index of the first row at or after a sort key. */
export function lowerBound(rows: Rows, sort: string): number {
  return firstIndex(rows, (each) => each >= sort);
}
