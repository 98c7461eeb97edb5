import type { WatchItems } from '../../../shared/lib/item-changes.ts';
import type { EmbeddedService, Input, Output, RequiredPermission } from '../call.ts';
import type { Clock } from '../clock.ts';
import { validationException } from '../common-errors.ts';
import type { Disk } from '../disk/disk.ts';
import { type Faults, noFaults } from '../faults.ts';
import { operationNamed } from '../operation.ts';
import type { DynamoDbContext, DynamoDbOperation } from './context.ts';
import { tableNotFound, unknownDynamoDbOperation } from './errors.ts';
import { positionOf } from './values/key.ts';
import { Meter, type OnConsumed } from './meter.ts';
import { inOtherOrder } from './other-order.ts';
import { batchGetItem } from './operations/batch-get-item.ts';
import { batchWriteItem } from './operations/batch-write-item.ts';
import { deleteItem } from './operations/delete-item.ts';
import { getItem } from './operations/get-item.ts';
import { putItem } from './operations/put-item.ts';
import { query } from './operations/query.ts';
import { transactWriteItems } from './operations/transact-write-items.ts';
import { updateItem } from './operations/update-item.ts';
import { batchPermission, itemPermission, queryPermission, transactionPermission } from './permissions.ts';
import { Table } from './rows/table.ts';
import type { KeySchema, TableSpec } from './table-spec.ts';
import type { Attributes } from './values/value.ts';

export const dynamoDbOperations: Readonly<Record<string, DynamoDbOperation>> = {
  BatchGetItem: { handle: batchGetItem, requires: batchPermission('dynamodb:BatchGetItem') },
  BatchWriteItem: {
    handle: batchWriteItem,
    requires: batchPermission('dynamodb:BatchWriteItem'),
    isWrite: true,
  },
  DeleteItem: { handle: deleteItem, requires: itemPermission('dynamodb:DeleteItem'), isWrite: true },
  GetItem: { handle: getItem, requires: itemPermission('dynamodb:GetItem') },
  PutItem: { handle: putItem, requires: itemPermission('dynamodb:PutItem'), isWrite: true },
  Query: { handle: query, requires: queryPermission('dynamodb:Query') },
  TransactWriteItems: {
    handle: transactWriteItems,
    requires: transactionPermission('TransactWriteItems'),
    isWrite: true,
  },
  UpdateItem: { handle: updateItem, requires: itemPermission('dynamodb:UpdateItem'), isWrite: true },
};

interface DynamoDbOptions {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly region: string;
  readonly account: string;
  /** Receives the cost of every request, once per request and table. */
  readonly onConsumed?: OnConsumed | undefined;
}

/** The tables of the template. Between two commits everything is synchronous: no request sees half of another. */
export class DynamoDbService implements EmbeddedService {
  readonly id = 'DynamoDB';
  readonly #options: DynamoDbOptions;
  readonly #tables = new Map<string, Table>();
  readonly #context: DynamoDbContext;

  constructor(options: DynamoDbOptions) {
    this.#options = options;
    this.#context = {
      find: (name) => this.#find(name),
      faults: options.faults,
    };
  }

  /** Opens a table as the template describes it, with its items on disk. */
  async createTable(spec: TableSpec): Promise<{ arn: string }> {
    const { disk, clock, faults, region, account } = this.#options;
    const arn = `arn:aws:dynamodb:${region}:${account}:table/${spec.name}`;
    const table = new Table(spec, { arn, disk, clock, remembers: faults !== noFaults });
    await table.load();
    this.#tables.set(spec.name, table);
    return { arn };
  }

  requiredPermissions(operation: string, input: Input): readonly RequiredPermission[] {
    return operationNamed(dynamoDbOperations, operation, unknownDynamoDbOperation).requires(input, this.#context);
  }

  async call(operation: string, input: Input): Promise<Output> {
    const { onConsumed, disk, faults } = this.#options;
    const { handle, isWrite } = operationNamed(dynamoDbOperations, operation, unknownDynamoDbOperation);
    const meter = Meter.of(operation, input['ReturnConsumedCapacity'], onConsumed);
    try {
      const output = handle(input, this.#context, meter);
      return !isWrite && faults.inject('other-order') ? inOtherOrder(output) : output;
    } finally {
      meter?.close();
      // The response may depend on a write that another caller has staged. Reads go on while the disk takes no writes.
      if (isWrite || !disk.problem) await disk.commitRows();
      if (isWrite) for (const { watchers } of this.#tables.values()) watchers.tell();
    }
  }

  /** Calls back after each change of the items that is on disk. */
  readonly watch: WatchItems = ({ tableName, pk, sk }, onChange) => {
    const { watchers, keys } = this.#find(tableName);
    const { partition, sort } = positionOf(keyOf(keys, pk, sk), keys);
    return watchers.add(partition, sk === undefined ? undefined : sort, onChange);
  };

  /** Stops deleting expired items. */
  close(): void {
    for (const table of this.#tables.values()) table.close();
  }

  #find(name: unknown): Table {
    if (typeof name !== 'string' || name === '') {
      throw validationException(
        "1 validation error detected: Value null at 'tableName' failed to satisfy constraint: Member must not be null",
      );
    }
    const table = this.#tables.get(name) ?? this.#tables.get(name.slice(name.lastIndexOf('/') + 1));
    if (!table) throw tableNotFound();
    return table;
  }
}

const keyOf = ({ hash, range }: KeySchema, pk: string, sk = ''): Attributes => ({ [hash.name]: pk, [range.name]: sk });
