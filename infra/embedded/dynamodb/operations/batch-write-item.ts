import { AwsError, type Input, type Output } from '../../call.ts';
import { validationException } from '../../common-errors.ts';
import type { DynamoDbContext } from '../context.ts';
import { checkItemKeys, checkKey, notTheSchema } from '../values/key.ts';
import type { Meter } from '../meter.ts';
import { apply, type Change } from '../planned-write.ts';
import { constraint, isObject, required } from '../request.ts';
import type { Table } from '../rows/table.ts';
import { type Attributes, giveItem } from '../values/value.ts';
import { takeItem } from '../values/take-item.ts';
import { checkItemSize } from '../write-plans.ts';

/** 25 entries of at most 400 KB are 10 MB, so a batch cannot reach the limit of 16 MB. */
const MAX_ENTRIES = 25;

interface Entry {
  readonly change: Change;
  /** The item to put, or the key to delete. */
  readonly attributes: Attributes;
}

export function batchWriteItem(input: Input, { find, faults }: DynamoDbContext, meter: Meter | undefined): Output {
  const requestItems = readRequestItems(input);
  const byTable: [name: string, entries: Entry[]][] = [];
  for (const [name, requests] of requestItems) byTable.push([name, readEntries(requests, find(name))]);
  const UnprocessedItems: Record<string, Output[]> = {};
  for (const [name, entries] of byTable) {
    for (const entry of entries) {
      if (faults.inject('unprocessed-item')) (UnprocessedItems[name] ??= []).push(requestOf(entry));
      else apply(entry.change, meter);
    }
  }
  const output: Output = { UnprocessedItems };
  meter?.addConsumedCapacity(output, { isList: true });
  return output;
}

function readRequestItems(input: Input): [name: string, requests: unknown[]][] {
  const requestItems = required(input, 'RequestItems');
  const tables = isObject(requestItems) ? Object.entries(requestItems) : [];
  if (tables.length === 0) {
    throw constraint({}, 'requestItems', 'Member must have length greater than or equal to 1');
  }
  let count = 0;
  return tables.map(([name, requests]) => {
    const length = Array.isArray(requests) ? requests.length : 0;
    count += length;
    if (count > MAX_ENTRIES && length <= MAX_ENTRIES) {
      throw validationException('Too many items requested for the BatchWriteItem call');
    }
    if (!Array.isArray(requests) || length === 0 || length > MAX_ENTRIES) {
      throw constraint(
        `{${name}=[${length} entries]}`,
        'requestItems',
        `Map value must satisfy constraint: [Member must have length less than or equal to ${MAX_ENTRIES}, Member must have length greater than or equal to 1]`,
      );
    }
    return [name, requests];
  });
}

function readEntries(requests: readonly unknown[], table: Table): Entry[] {
  const seen = new Set<string>();
  return requests.map((request) => {
    const entry = readEntry(request, table);
    if (seen.has(entry.itemKey)) throw validationException('Provided list of item keys contains duplicates');
    seen.add(entry.itemKey);
    return entry;
  });
}

function readEntry(request: unknown, table: Table): Entry & { itemKey: string } {
  const { PutRequest, DeleteRequest } = isObject(request) ? request : {};
  if (isObject(PutRequest) === isObject(DeleteRequest)) {
    throw validationException(
      'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
    );
  }
  if (isObject(PutRequest)) {
    const taken = takeItem(required(PutRequest, 'Item'));
    checkItemSize(taken.size);
    orSchema(() => {
      checkItemKeys(taken.item, table.keys);
    });
    return {
      itemKey: table.itemKeyOf(taken.item),
      change: { table, before: table.find(taken.item), after: taken },
      attributes: taken.item,
    };
  }
  const key = takeItem(required(DeleteRequest as Input, 'Key')).item;
  checkKey(key, table.keys);
  return {
    itemKey: table.itemKeyOf(key),
    change: { table, before: table.find(key), after: undefined },
    attributes: key,
  };
}

/** The entry in the caller's shape, for `UnprocessedItems`. */
function requestOf({ change: { after }, attributes }: Entry): Output {
  return after ? { PutRequest: { Item: giveItem(attributes) } } : { DeleteRequest: { Key: giveItem(attributes) } };
}

/** A batch has one message for missing keys and wrong types, a single put has several. */
function orSchema(check: () => void): void {
  try {
    check();
  } catch (error) {
    if (error instanceof AwsError && /Missing the key|Type mismatch for key/.test(error.message)) throw notTheSchema();
    throw error;
  }
}
