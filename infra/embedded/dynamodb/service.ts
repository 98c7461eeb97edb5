import { AwsError, type EmbeddedService, type Output } from '../call.ts';
import { type Clock } from '../clock.ts';
import { type Disk } from '../disk.ts';
import { fairWeather, type Weather } from '../weather.ts';
import { batchGetItem } from './batch-get.ts';
import { batchWriteItem } from './batch-write.ts';
import { demandsOf } from './demands.ts';
import { Idempotency } from './idempotency.ts';
import { invalid } from './invalid.ts';
import { Meter, type OnConsumed } from './meter.ts';
import { query, scan } from './query.ts';
import { getItem } from './read.ts';
import { type FindTable, type Input } from './request.ts';
import { Table } from './table.ts';
import { type TableSpec } from './table-spec.ts';
import { transactGetItems, transactWriteItems } from './transact.ts';
import { deleteItem, putItem, updateItem } from './write.ts';

export interface DynamoDbOptions {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly weather: Weather;
  readonly region: string;
  readonly account: string;
  /** Told what every request cost, once per request and table. */
  readonly onConsumed?: OnConsumed;
}

export interface DynamoDbService extends EmbeddedService {
  readonly id: 'DynamoDB';
  /** Opens a table as the template describes it, with what the disk has of it. */
  createTable(spec: TableSpec): Promise<{ arn: string }>;
  /** Stops deleting expired items. */
  close(): void;
}

/** What a request finds around it. */
interface Surroundings {
  readonly meter: Meter | undefined;
  readonly weather: Weather;
}

export function dynamoDb(options: DynamoDbOptions): Promise<DynamoDbService> {
  return Promise.resolve(new Engine(options));
}

/** DynamoDB of one account and region. Between two commits everything is synchronous: no request sees half of another. */
class Engine implements DynamoDbService {
  readonly id = 'DynamoDB';
  private readonly tables = new Map<string, Table>();
  private readonly options: DynamoDbOptions;
  private readonly idempotency: Idempotency;

  constructor(options: DynamoDbOptions) {
    this.options = options;
    this.idempotency = new Idempotency(options.clock);
  }

  async createTable(spec: TableSpec): Promise<{ arn: string }> {
    const { disk, clock, weather, region, account } = this.options;
    const arn = `arn:aws:dynamodb:${region}:${account}:table/${spec.name}`;
    const table = new Table(spec, { arn, disk, clock, remembers: weather !== fairWeather });
    await table.load();
    this.tables.set(spec.name, table);
    return { arn };
  }

  close(): void {
    for (const table of this.tables.values()) table.close();
  }

  demands(operation: string, input: Input) {
    return demandsOf(operation, input, this.find);
  }

  async call(operation: string, input: Input): Promise<Output> {
    const { weather, onConsumed, disk } = this.options;
    const meter = Meter.of(operation, input.ReturnConsumedCapacity, onConsumed);
    const isWrite = WRITES.has(operation);
    try {
      const output = this.carryOut(operation, input, { meter, weather });
      if (isWrite) await disk.commit();
      return output;
    } catch (error) {
      // A refusal may rest on what another caller has staged: it is no answer before that is written.
      if (isWrite) await disk.commit();
      throw error;
    } finally {
      meter?.close();
    }
  }

  private carryOut(operation: string, input: Input, surroundings: Surroundings): Output {
    const { meter } = surroundings;
    switch (operation) {
      case 'GetItem':
        return getItem(input, this.find, surroundings);
      case 'PutItem':
        return putItem(input, this.find, meter);
      case 'UpdateItem':
        return updateItem(input, this.find, meter);
      case 'DeleteItem':
        return deleteItem(input, this.find, meter);
      case 'Query':
        return query(input, this.find, surroundings);
      case 'Scan':
        return scan(input, this.find, surroundings);
      case 'BatchGetItem':
        return batchGetItem(input, this.find, surroundings);
      case 'BatchWriteItem':
        return batchWriteItem(input, this.find, surroundings);
      case 'TransactGetItems':
        return transactGetItems(input, this.find, meter);
      case 'TransactWriteItems':
        return this.idempotency.once(input, () => transactWriteItems(input, this.find, meter));
      default:
        throw new AwsError(
          'UnknownOperationException',
          `${operation} is no operation of DynamoDB that is known here.`,
        );
    }
  }

  private readonly find: FindTable = (name) => {
    if (typeof name !== 'string' || name === '') {
      throw invalid(
        "1 validation error detected: Value null at 'tableName' failed to satisfy constraint: Member must not be null",
      );
    }
    const table = this.tables.get(name) ?? this.tables.get(name.slice(name.lastIndexOf('/') + 1));
    if (!table) throw new AwsError('ResourceNotFoundException', 'Requested resource not found');
    return table;
  };
}

const WRITES = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'TransactWriteItems']);
