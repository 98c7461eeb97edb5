import { type Output } from '../call.ts';
import { type Weather } from '../weather.ts';
import { parseProjection } from './expression/cache.ts';
import { checkDistinctPaths } from './expression/check-paths.ts';
import { type Path } from './expression/parser.ts';
import { project } from './expression/project.ts';
import { bind, type Scope } from './expression/scope.ts';
import { checkKey, positionOf } from './key.ts';
import { type Meter } from './meter.ts';
import { attributes, optionalText, refuseLegacy, type FindTable, type Input } from './request.ts';
import { type Row } from './row.ts';
import { type Table } from './table.ts';
import { giveItem, type Attributes } from './value.ts';

/** What of an item is wanted. */
export interface Projection {
  readonly paths: readonly Path[] | undefined;
  readonly scope: Scope;
}

export function projectionOf(input: Input): Projection {
  const text = optionalText(input, 'ProjectionExpression');
  const expression = text === undefined ? undefined : parseProjection(text);
  const scope = bind(input, [['ProjectionExpression', expression]]);
  if (expression) checkDistinctPaths('ProjectionExpression', expression.ast, scope);
  return { paths: expression?.ast, scope };
}

export function show(item: Attributes, { paths, scope }: Projection): Attributes {
  return paths ? project(paths, item, scope) : giveItem(item);
}

/** The row under a key as this read sees it: in rough weather an eventually consistent one may see what was. */
export function rowSeen(
  table: Table,
  key: Attributes,
  consistent: boolean,
  weather: Weather,
): Row | undefined {
  const row = table.find(key);
  if (consistent || !table.remembers) return row;
  const before = table.rows.recently({ ...positionOf(key, table.keys), tie: '' });
  return before && weather.strikes('stale-read') ? before.row : row;
}

export function getItem(
  input: Input,
  find: FindTable,
  { meter, weather }: { meter: Meter | undefined; weather: Weather },
): Output {
  refuseLegacy(input);
  const key = attributes(input, 'Key');
  const projection = projectionOf(input);
  const table = find(input.TableName);
  checkKey(key, table.keys);
  const consistent = input.ConsistentRead === true;
  const row = rowSeen(table, key, consistent, weather);
  const item = row && table.read(row);
  meter?.read(table, row?.size ?? 0, consistent);
  const ConsumedCapacity = meter?.one();
  return { ...(item && { Item: show(item, projection) }), ...(ConsumedCapacity && { ConsumedCapacity }) };
}
