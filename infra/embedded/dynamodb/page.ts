import { type Output } from '../call.ts';
import { projected } from './capacity.ts';
import { parseFilter, parseProjection, type Expression } from './expression/cache.ts';
import { checkCondition } from './expression/check-condition.ts';
import { checkDistinctPaths } from './expression/check-paths.ts';
import { type Condition } from './expression/condition.ts';
import { headsOf } from './expression/heads.ts';
import { meets } from './expression/evaluate.ts';
import { type Path } from './expression/parser.ts';
import { bind, type Scope } from './expression/scope.ts';
import { invalid, invalidParameter } from './invalid.ts';
import { checkKeyPart } from './key.ts';
import { type Meter } from './meter.ts';
import { show } from './read.ts';
import { constraint, oneOf, optionalText, refuseLegacy, type Input } from './request.ts';
import { type IndexRow, type Row } from './row.ts';
import { type SortedRows } from './sorted-rows.ts';
import { type Table } from './table.ts';
import { type IndexSchema, type KeyAttribute, type KeySchema } from './table-spec.ts';
import { itemSize, setAttribute, takeItem, type Attributes } from './value.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.Pagination.html */
const MAX_PAGE_BYTES = 1024 * 1024;

/** What a Query and a Scan have in common: where they read, and what they answer of it. */
export class PageRequest {
  readonly table: Table;
  readonly index: IndexSchema | undefined;
  readonly keys: KeySchema;
  readonly rows: SortedRows<Row | IndexRow>;
  readonly consistent: boolean;
  readonly scope: Scope;
  readonly startKey: Attributes | undefined;
  private readonly limit: number;
  private readonly filter: Condition | undefined;
  readonly paths: readonly Path[] | undefined;
  private readonly counts: boolean;

  constructor(input: Input, find: (name: unknown) => Table, keyCondition?: Expression<Condition>) {
    refuseLegacy(input);
    const filter = optionalText(input, 'FilterExpression');
    const projection = optionalText(input, 'ProjectionExpression');
    const filterExpression = filter === undefined ? undefined : parseFilter(filter);
    const projectionExpression = projection === undefined ? undefined : parseProjection(projection);
    this.scope = bind(input, [
      ['ProjectionExpression', projectionExpression],
      ['FilterExpression', filterExpression],
      ['KeyConditionExpression', keyCondition],
    ]);
    this.filter = filterExpression?.ast;
    this.paths = projectionExpression?.ast;
    if (this.filter) checkCondition('FilterExpression', this.filter, this.scope);
    if (this.paths) checkDistinctPaths('ProjectionExpression', this.paths, this.scope);
    this.limit = limitOf(input);
    this.table = find(input.TableName);
    this.consistent = input.ConsistentRead === true;
    [this.index, this.rows] = place(input, this.table);
    this.keys = this.index ?? this.table.keys;
    if (this.index && this.consistent) {
      throw invalid('Consistent reads are not supported on global secondary indexes');
    }
    this.counts = countsOnly(input, this.index, this.paths);
    this.startKey = readStartKey(input, this.keyAttributes());
  }

  /** The names that make an item's place unique: the index's keys and the table's. */
  keyAttributes(): readonly KeyAttribute[] {
    const { attributes } = this.keys;
    if (!this.index) return attributes;
    const own = this.table.keys.attributes.filter(
      ({ name }) => !attributes.some((each) => each.name === name),
    );
    return [...attributes, ...own];
  }

  /** A filter of a query must not name its keys. */
  refuseKeysInFilter(): void {
    if (!this.filter) return;
    const heads = new Set(headsOf(this.filter, this.scope));
    for (const { name } of this.keys.attributes) {
      if (!heads.has(name)) continue;
      throw invalid(
        `Filter Expression can only contain non-primary key attributes: Primary key attribute: ${name}`,
      );
    }
  }

  /** Reads until the limit or 1 MB is reached. */
  answer(rows: Iterable<Row | IndexRow>, meter: Meter | undefined): Output {
    const Items: Attributes[] = [];
    let count = 0;
    let scanned = 0;
    let bytes = 0;
    let last: Attributes | undefined;
    for (const each of rows) {
      const row = 'row' in each ? each.row : each;
      const stored = this.table.read(row);
      const item = this.index ? projected(stored, this.index) : stored;
      bytes += item === stored ? row.size : itemSize(item);
      scanned += 1;
      if (!this.filter || meets(this.filter, item, this.scope)) {
        count += 1;
        if (!this.counts) Items.push(show(item, this));
      }
      if (scanned >= this.limit || bytes >= MAX_PAGE_BYTES) {
        last = item;
        break;
      }
    }
    if (this.index) meter?.readIndex(this.table, this.index.name, bytes);
    else meter?.read(this.table, bytes, this.consistent);
    const ConsumedCapacity = meter?.one();
    return {
      ...(!this.counts && { Items }),
      Count: count,
      ScannedCount: scanned,
      ...(last && { LastEvaluatedKey: this.keyOf(last) }),
      ...(ConsumedCapacity && { ConsumedCapacity }),
    };
  }

  private keyOf(item: Attributes): Attributes {
    const key: Attributes = {};
    for (const { name } of this.keyAttributes()) setAttribute(key, name, item[name] ?? null);
    return show(key, { paths: undefined, scope: this.scope });
  }
}

function place(input: Input, table: Table): [IndexSchema | undefined, SortedRows<Row | IndexRow>] {
  const name = optionalText(input, 'IndexName');
  if (name === undefined) return [undefined, table.rows as SortedRows<Row | IndexRow>];
  const at = table.indexes.findIndex((index) => index.name === name);
  if (at < 0) throw invalid(`The table does not have the specified index: ${name}`);
  return [table.indexes[at], table.indexRows[at] as SortedRows<Row | IndexRow>];
}

function limitOf(input: Input): number {
  const limit = input.Limit;
  if (limit === undefined || limit === null) return Infinity;
  if (typeof limit !== 'number' || limit < 1) {
    throw constraint(limit, 'limit', 'Member must have value greater than or equal to 1');
  }
  return Math.floor(limit);
}

function countsOnly(
  input: Input,
  index: IndexSchema | undefined,
  paths: readonly Path[] | undefined,
): boolean {
  const select = oneOf(input, 'Select', [
    'SPECIFIC_ATTRIBUTES',
    'COUNT',
    'ALL_ATTRIBUTES',
    'ALL_PROJECTED_ATTRIBUTES',
  ]);
  if (select === 'ALL_ATTRIBUTES' && index?.projected) {
    throw invalidParameter(
      `Select type ALL_ATTRIBUTES is not supported for global secondary index ${index.name} because its projection type is not ALL`,
    );
  }
  if (paths && select !== undefined && select !== 'SPECIFIC_ATTRIBUTES') {
    throw invalid(
      `Cannot specify the ProjectionExpression when choosing to get ${select === 'COUNT' ? 'only the Count' : select}`,
    );
  }
  return select === 'COUNT';
}

function readStartKey(input: Input, attributes: readonly KeyAttribute[]): Attributes | undefined {
  const given = input.ExclusiveStartKey;
  if (given === undefined || given === null) return undefined;
  const key = takeItem(given).item;
  if (Object.keys(key).length !== attributes.length) throw invalid('The provided starting key is invalid');
  for (const [i, part] of attributes.entries()) {
    if (!Object.hasOwn(key, part.name)) throw invalid('The provided starting key is invalid');
    try {
      checkKeyPart(key, part, i === 0);
    } catch (error) {
      throw invalid(
        `The provided starting key is invalid: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
  return key;
}
