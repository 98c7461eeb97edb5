import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../infra/embedded/clock.ts';
import type { OnConsumed } from '../../infra/embedded/dynamodb/meter.ts';
import { DynamoDbService } from '../../infra/embedded/dynamodb/service.ts';
import { type Faults, noFaults } from '../../infra/embedded/faults.ts';
import { OPERATOR } from '../../infra/embedded/iam/authorizer.ts';
import { sdkPlugin } from '../../infra/embedded/sdk-plugin.ts';
import { account, region } from '../../infra/embedded/template/resource-type.ts';
import { tableSchema } from '../../shared/store/table/table.ts';
import type { TableOptions } from '../../shared/store/table/table-client.ts';
import { memoryDisk } from './memory-disk.ts';

interface EventTableOptions {
  readonly clock: Clock;
  readonly faults?: Faults | undefined;
  readonly onConsumed?: OnConsumed;
}

export interface EventTable {
  readonly table: TableOptions;
  close(): Promise<void>;
}

const { partitionKey, sortKey, timeToLive } = tableSchema;
const name = 'events';
/** As `infra/constructs/event-table.ts` describes it. */
const spec = {
  name,
  keySchema: [
    { AttributeName: partitionKey, KeyType: 'HASH' },
    { AttributeName: sortKey, KeyType: 'RANGE' },
  ],
  attributeDefinitions: [partitionKey, sortKey].map((AttributeName) => ({
    AttributeName,
    AttributeType: 'S',
  })),
  timeToLiveAttribute: timeToLive,
};

/** The embedded DynamoDB with the table alone: a test of use cases needs no stack, and no template. */
export async function openEventTable({ clock, faults, onConsumed }: EventTableOptions): Promise<EventTable> {
  const disk = memoryDisk();
  const service = new DynamoDbService({
    disk,
    clock,
    faults: faults ?? noFaults,
    region,
    account,
    onConsumed,
  });
  await service.createTable(spec);
  const client = new DynamoDBClient({ region });
  client.middlewareStack.use(
    sdkPlugin({ dispatch: ({ operation, input }) => service.call(operation, input), role: OPERATOR }),
  );
  return {
    table: {
      dynamo: DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }),
      tableName: name,
    },
    async close() {
      service.close();
      await disk.close();
    },
  };
}
