import type { Input, Output } from '../../call.ts';
import { validationException } from '../../common-errors.ts';
import { rowSeen } from '../rows/consistency.ts';
import type { DynamoDbContext } from '../context.ts';
import { checkKey, positionOf } from '../values/key.ts';
import type { Meter } from '../meter.ts';
import { projectionOf, show, type Projection } from '../projection.ts';
import { constraint, isObject, refuseUnknown, required, type FindTable } from '../request.ts';
import type { Table } from '../rows/table.ts';
import { giveItem, type Attributes } from '../values/value.ts';
import { takeItem } from '../values/take-item.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html */
const MAX_KEYS = 100;
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;
const MAX_PARTITION_BYTES = 1024 * 1024;

interface TableRequest {
  readonly table: Table;
  readonly request: Input;
  readonly keys: Attributes[];
  readonly projection: Projection;
}

export function batchGetItem(input: Input, { find, faults }: DynamoDbContext, meter: Meter | undefined): Output {
  const Responses: Record<string, Attributes[]> = {};
  const UnprocessedKeys: Record<string, unknown> = {};
  const space = new ResponseSpace();
  for (const [name, { table, request, keys, projection }] of readRequests(input, find)) {
    const found: Attributes[] = (Responses[name] = []);
    const unprocessed: Attributes[] = [];
    const consistent = request.ConsistentRead === true;
    for (const key of keys) {
      const row = rowSeen(table, key, consistent, faults);
      const size = row ? table.sizeOf(row) : 0;
      if (!space.take(table, key, size) || faults.inject('unprocessed-item')) {
        unprocessed.push(giveItem(key));
        continue;
      }
      meter?.read(table, size, consistent);
      if (row) found.push(show(table.read(row), projection));
    }
    if (unprocessed.length > 0) UnprocessedKeys[name] = { ...request, Keys: unprocessed };
  }
  const output: Output = { Responses, UnprocessedKeys };
  meter?.addConsumedCapacity(output, { isList: true });
  return output;
}

/** A response holds at most 16 MB, and 1 MB of one partition. */
class ResponseSpace {
  #total = 0;
  readonly #byPartition = new Map<string, number>();

  take(table: Table, key: Attributes, size: number): boolean {
    const partition = `${table.name} ${positionOf(key, table.keys).partition}`;
    const used = this.#byPartition.get(partition) ?? 0;
    if (this.#total + size > MAX_RESPONSE_BYTES || used + size > MAX_PARTITION_BYTES) return false;
    this.#total += size;
    this.#byPartition.set(partition, used + size);
    return true;
  }
}

function readRequests(input: Input, find: FindTable): [name: string, request: TableRequest][] {
  const requestItems = required(input, 'RequestItems');
  const tables = isObject(requestItems) ? Object.entries(requestItems) : [];
  if (tables.length === 0) {
    throw constraint({}, 'requestItems', 'Member must have length greater than or equal to 1');
  }
  let count = 0;
  return tables.map(([name, request]) => {
    const read = readRequest(name, isObject(request) ? request : {}, find);
    count += read.keys.length;
    if (count > MAX_KEYS) throw validationException('Too many items requested for the BatchGetItem call');
    return [name, read];
  });
}

function readRequest(name: string, request: Input, find: FindTable): TableRequest {
  refuseUnknown(request);
  const at = `requestItems.${name}.member.keys`;
  const requestKeys = request.Keys;
  if (!Array.isArray(requestKeys)) throw constraint(null, at, 'Member must not be null');
  if (requestKeys.length === 0) throw constraint([], at, 'Member must have length greater than or equal to 1');
  if (requestKeys.length > MAX_KEYS) {
    throw constraint(`[${requestKeys.length} keys]`, at, `Member must have length less than or equal to ${MAX_KEYS}`);
  }
  const projection = projectionOf(request);
  const table = find(name);
  const seen = new Set<string>();
  const keys = requestKeys.map((each) => {
    const key = takeItem(each).item;
    checkKey(key, table.keys);
    const itemKey = table.itemKeyOf(key);
    if (seen.has(itemKey)) throw validationException('Provided list of item keys contains duplicates');
    seen.add(itemKey);
    return key;
  });
  return { table, request, keys, projection };
}
