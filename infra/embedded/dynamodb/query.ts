import { type Output } from '../call.ts';
import { type Weather } from '../weather.ts';
import { parseKeyCondition } from './expression/cache.ts';
import { invalid } from './invalid.ts';
import { positionOf } from './key.ts';
import { keyRange } from './key-condition.ts';
import { type Meter } from './meter.ts';
import { PageRequest } from './page.ts';
import { optionalText, type FindTable, type Input } from './request.ts';
import { type IndexRow, type Row } from './row.ts';
import { lowerBound, type Sorted } from './sorted-rows.ts';

interface Surroundings {
  readonly meter: Meter | undefined;
  readonly weather: Weather;
}

export function query(input: Input, find: FindTable, { meter, weather }: Surroundings): Output {
  const text = optionalText(input, 'KeyConditionExpression');
  if (text === undefined) {
    throw invalid(
      'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.',
    );
  }
  const condition = parseKeyCondition(text);
  const page = new PageRequest(input, find, condition);
  const range = keyRange(condition, page.scope, page.keys);
  page.refuseKeysInFilter();
  const rows = rowsSeen(page, range.partition, weather);
  const forward = input.ScanIndexForward !== false;
  const [from, to] = startAt(page, range.partition, range.bounds(rows), { rows, forward });
  return page.answer(forward ? slice(rows, from, to) : backwards(rows, from, to), meter);
}

/** A partition as this read sees it: in rough weather an eventually consistent one may see what was. */
function rowsSeen(
  { rows, consistent }: PageRequest,
  partition: string,
  weather: Weather,
): readonly (Row | IndexRow)[] {
  if (consistent) return rows.partition(partition);
  const before = rows.partitionRecently(partition);
  return before && weather.strikes('stale-read') ? before : rows.partition(partition);
}

function startAt(
  { startKey, keys, index, table }: PageRequest,
  partition: string,
  [from, to]: readonly [number, number],
  { rows, forward }: { rows: readonly Sorted[]; forward: boolean },
): readonly [from: number, to: number] {
  if (!startKey) return [from, to];
  const start = positionOf(startKey, keys);
  const tie = index ? table.placeOf(startKey) : '';
  if (start.partition !== partition) {
    throw invalid('The provided starting key is outside query boundaries based on provided conditions');
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

export function scan(input: Input, find: FindTable, { meter }: Surroundings): Output {
  if (input.Segment !== undefined || input.TotalSegments !== undefined) {
    throw invalid('Parallel scans are not supported here.');
  }
  const page = new PageRequest(input, find);
  return page.answer(everything(page), meter);
}

/** Partition by partition in the order of their names, so that a start key finds its place again. */
function* everything({ rows, startKey, keys, index, table }: PageRequest): Iterable<Row | IndexRow> {
  const start = startKey && { ...positionOf(startKey, keys), tie: index ? table.placeOf(startKey) : '' };
  for (const name of rows.partitionNames().sort()) {
    if (start && name < start.partition) continue;
    const partition = rows.partition(name);
    const from = start?.partition === name ? firstBehind(partition, start) : 0;
    yield* slice(partition, from, partition.length);
  }
}

function firstBehind(rows: readonly Sorted[], { sort, tie }: { sort: string; tie: string }): number {
  const at = lowerBound(rows, sort, tie);
  return rows[at]?.sort === sort && rows[at].tie === tie ? at + 1 : at;
}
