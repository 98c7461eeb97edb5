import type { Input, Output } from '../call.ts';
import { validationException } from '../common-errors.ts';
import { parseFilter, parseProjection, type Expression } from './expression/cache.ts';
import { checkCondition } from './expression/check-condition.ts';
import { checkDistinctPaths } from './expression/check-paths.ts';
import type { Condition } from './expression/condition.ts';
import { meets } from './expression/evaluate.ts';
import type { Path } from './expression/parser.ts';
import { bind, emptyScope, resolveStep, type Scope } from './expression/scope.ts';
import { checkKeyPart } from './values/key.ts';
import type { Meter } from './meter.ts';
import { show } from './projection.ts';
import { constraint, oneOf, textIn, refuseUnknown, type FindTable } from './request.ts';
import type { Row } from './rows/row.ts';
import type { Table } from './rows/table.ts';
import type { KeyAttribute } from './table-spec.ts';
import { type Attributes } from './values/value.ts';
import { takeItem } from './values/take-item.ts';
import { setOwn } from '../own-member.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.Pagination.html */
const MAX_PAGE_BYTES = 1024 * 1024;

/** The request of a Query: the table that it reads, and the part of it that it returns. */
export class QueryPage {
  readonly table: Table;
  readonly isConsistent: boolean;
  readonly scope: Scope;
  readonly startKey: Attributes | undefined;
  readonly #limit: number;
  readonly #filter: Expression<Condition> | undefined;
  readonly paths: readonly Path[] | undefined;
  readonly #counts: boolean;

  constructor(input: Input, find: FindTable, keyCondition: Expression<Condition>) {
    refuseUnknown(input);
    const filter = textIn(input, 'FilterExpression');
    const projection = textIn(input, 'ProjectionExpression');
    this.#filter = filter === undefined ? undefined : parseFilter(filter);
    const projectionExpression = projection === undefined ? undefined : parseProjection(projection);
    this.scope = bind(input, [
      ['ProjectionExpression', projectionExpression],
      ['FilterExpression', this.#filter],
      ['KeyConditionExpression', keyCondition],
    ]);
    this.paths = projectionExpression?.ast;
    if (this.#filter) checkCondition('FilterExpression', this.#filter.ast, this.scope);
    if (this.paths) checkDistinctPaths('ProjectionExpression', this.paths, this.scope);
    this.#limit = limitOf(input);
    this.table = find(input.TableName);
    this.isConsistent = input.ConsistentRead === true;
    this.#counts = countsOnly(input, this.paths);
    this.startKey = readStartKey(input, this.table.keys.attributes);
  }

  /** The filter of a query must not name a key. */
  refuseKeysInFilter(): void {
    if (!this.#filter) return;
    const heads = new Set(this.#filter.heads.map((step) => resolveStep(step, this.scope)));
    for (const { name } of this.table.keys.attributes) {
      if (!heads.has(name)) continue;
      throw validationException(
        `Filter Expression can only contain non-primary key attributes: Primary key attribute: ${name}`,
      );
    }
  }

  /** Reads until it reaches the limit or 1 MB. */
  respond(rows: Iterable<Row>, meter: Meter | undefined): Output {
    const Items: Attributes[] = [];
    let count = 0;
    let scanned = 0;
    let bytes = 0;
    let last: Attributes | undefined;
    for (const row of rows) {
      const item = this.table.read(row);
      bytes += row.size;
      scanned += 1;
      if (!this.#filter || meets(this.#filter.ast, item, this.scope)) {
        count += 1;
        if (!this.#counts) Items.push(show(item, this));
      }
      if (scanned >= this.#limit || bytes >= MAX_PAGE_BYTES) {
        last = item;
        break;
      }
    }
    meter?.read(this.table, bytes, this.isConsistent);
    const output: Output = { Count: count, ScannedCount: scanned };
    if (!this.#counts) output['Items'] = Items;
    if (last) output['LastEvaluatedKey'] = this.#keyOf(last);
    meter?.addConsumedCapacity(output);
    return output;
  }

  #keyOf(item: Attributes): Attributes {
    const key: Attributes = {};
    for (const { name } of this.table.keys.attributes) setOwn(key, name, item[name] ?? null);
    return show(key, { paths: undefined, scope: emptyScope });
  }
}

function limitOf(input: Input): number {
  const limit = input.Limit;
  if (limit === undefined || limit === null) return Infinity;
  if (typeof limit !== 'number' || limit < 1) {
    throw constraint(limit, 'limit', 'Member must have value greater than or equal to 1');
  }
  return Math.floor(limit);
}

/** Whether the request asks only for the count. */
function countsOnly(input: Input, paths: readonly Path[] | undefined): boolean {
  const counts = oneOf(input, 'Select', ['COUNT']) === 'COUNT';
  if (paths && counts)
    throw validationException('Cannot specify the ProjectionExpression when choosing to get only the Count');
  return counts;
}

function readStartKey(input: Input, attributes: readonly KeyAttribute[]): Attributes | undefined {
  const startKey = input.ExclusiveStartKey;
  if (startKey === undefined || startKey === null) return undefined;
  const key = takeItem(startKey).item;
  if (Object.keys(key).length !== attributes.length) throw validationException('The provided starting key is invalid');
  for (const [i, part] of attributes.entries()) {
    if (!Object.hasOwn(key, part.name)) throw validationException('The provided starting key is invalid');
    try {
      checkKeyPart(key, part, i === 0);
    } catch (error) {
      throw validationException(
        `The provided starting key is invalid: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
  return key;
}
