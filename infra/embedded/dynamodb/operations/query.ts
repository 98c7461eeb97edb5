import type { Input, Output } from '../../call.ts';
import { validationException } from '../../common-errors.ts';
import { partitionSeen } from '../consistency.ts';
import type { DynamoDbContext } from '../context.ts';
import { parseKeyCondition } from '../expression/cache.ts';
import { keyRange } from '../key-condition.ts';
import { positionOf } from '../key.ts';
import type { Meter } from '../meter.ts';
import { QueryPage } from '../query-page.ts';
import { textIn } from '../request.ts';
import { lowerBound, type Sorted } from '../sorted-rows.ts';

export function query(input: Input, { find, faults }: DynamoDbContext, meter: Meter | undefined): Output {
  const text = textIn(input, 'KeyConditionExpression');
  if (text === undefined) {
    throw validationException(
      'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.',
    );
  }
  const condition = parseKeyCondition(text);
  const page = new QueryPage(input, find, condition);
  const range = keyRange(condition, page.scope, page.keys);
  page.refuseKeysInFilter();
  const rows = partitionSeen(page.rows, range.partition, page.isConsistent, faults);
  const forward = input.ScanIndexForward !== false;
  const [from, to] = startAt(page, range.partition, range.bounds(rows), { rows, forward });
  return page.answer(forward ? slice(rows, from, to) : backwards(rows, from, to), meter);
}

function startAt(
  { startKey, keys, index, table }: QueryPage,
  partition: string,
  [from, to]: readonly [number, number],
  { rows, forward }: { rows: readonly Sorted[]; forward: boolean },
): readonly [from: number, to: number] {
  if (!startKey) return [from, to];
  const start = positionOf(startKey, keys);
  const tie = index ? table.placeOf(startKey) : '';
  if (start.partition !== partition) {
    throw validationException(
      'The provided starting key is outside query boundaries based on provided conditions',
    );
  }
  if (forward) return [Math.max(from, firstBehind(rows, { sort: start.sort, tie })), to];
  return [from, Math.min(to, lowerBound(rows, start.sort, tie))];
}

function* slice<T>(rows: readonly T[], from: number, to: number): Iterable<T> {
  for (let i = from; i < to; i += 1) yield rows[i] as T;
}

function* backwards<T>(rows: readonly T[], from: number, to: number): Iterable<T> {
  for (let i = to - 1; i >= from; i -= 1) yield rows[i] as T;
}

function firstBehind(rows: readonly Sorted[], { sort, tie }: { sort: string; tie: string }): number {
  const at = lowerBound(rows, sort, tie);
  return rows[at]?.sort === sort && rows[at].tie === tie ? at + 1 : at;
}
