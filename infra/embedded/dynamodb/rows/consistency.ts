import type { Faults } from '../../faults.ts';
import { positionOf } from '../values/key.ts';
import type { Row, Rows } from './row.ts';
import type { SortedRows } from './sorted-rows.ts';
import type { Table } from './table.ts';
import type { Attributes } from '../values/value.ts';

/**
 * The row under a key as this read sees it. Fault injection lets an eventually consistent read see the previous
 * version.
 */
export function rowSeen(table: Table, key: Attributes, isConsistent: boolean, faults: Faults): Row | undefined {
  const row = table.find(key);
  if (isConsistent || !table.remembers) return row;
  const before = table.rows.recently(positionOf(key, table.keys));
  return before && faults.inject('stale-read') ? before.row : row;
}

/** A partition as this read sees it. Fault injection lets an eventually consistent read see the previous version. */
export function partitionSeen(rows: SortedRows, partition: string, isConsistent: boolean, faults: Faults): Rows {
  if (isConsistent) return rows.partition(partition);
  const before = rows.partitionRecently(partition);
  return before && faults.inject('stale-read') ? before : rows.partition(partition);
}
