import type { Input, Output } from '../../call.ts';
import { validationException } from '../../common-errors.ts';
import { partitionSeen } from '../rows/consistency.ts';
import type { DynamoDbContext } from '../context.ts';
import { parseKeyCondition } from '../expression/cache.ts';
import { boundsIn, keyRange, type KeyRange } from '../key-condition.ts';
import { positionOf } from '../values/key.ts';
import type { Meter } from '../meter.ts';
import { QueryPage } from '../query-page.ts';
import { textIn } from '../request.ts';
import { firstIndex, lowerBound, newRow, type Row, type Rows } from '../rows/row.ts';

export function query(input: Input, { find, faults }: DynamoDbContext, meter: Meter | undefined): Output {
  const text = textIn(input, 'KeyConditionExpression');
  if (text === undefined) {
    throw validationException(
      'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.',
    );
  }
  const condition = parseKeyCondition(text);
  const page = new QueryPage(input, find, condition);
  const range = keyRange(condition, page.scope, page.table.keys);
  page.refuseKeysInFilter();
  const rows = partitionSeen(page.table.rows, range.partition, page.isConsistent, faults);
  const forward = input.ScanIndexForward !== false;
  const [from, to] = startAt(page, range, rows, forward);
  return page.respond(forward ? slice(rows, from, to) : backwards(rows, from, to), meter);
}

function startAt(
  { startKey, table }: QueryPage,
  range: KeyRange,
  rows: Rows,
  forward: boolean,
): readonly [from: number, to: number] {
  const [from, to] = boundsIn(rows, range);
  if (!startKey) return [from, to];
  const start = positionOf(startKey, table.keys);
  if (start.partition !== range.partition) {
    throw validationException('The provided starting key is outside query boundaries based on provided conditions');
  }
  const [first, end] = boundsIn([newRow({ ...start, expires: 0 }, 0)], range);
  if (first >= end) throw validationException('The provided starting key does not match the range key predicate');
  if (!forward) return [from, Math.min(to, lowerBound(rows, start.sort))];
  const behind = firstIndex(rows, (sort) => sort > start.sort);
  return [Math.max(from, behind), to];
}

function* slice(rows: Rows, from: number, to: number): Iterable<Row> {
  for (let i = from; i < to; i += 1) {
    const row = rows.at(i);
    if (row) yield row;
  }
}

function* backwards(rows: Rows, from: number, to: number): Iterable<Row> {
  for (let i = to - 1; i >= from; i -= 1) {
    const row = rows.at(i);
    if (row) yield row;
  }
}
