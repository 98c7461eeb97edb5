import { createRequire } from 'node:module';
import { type AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient, type CreateTableCommandInput } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe } from 'vitest';
import { FakeClock } from '../../../../infra/embedded/clock.ts';
import { type Disk } from '../../../../infra/embedded/disk/disk.ts';
import { openDisk } from '../../../../infra/embedded/disk/open-disk.ts';
import { dynamoDbCodec } from '../../../support/aws-wire/dynamodb-codec.ts';
import { type OnConsumed } from '../../../../infra/embedded/dynamodb/meter.ts';
import { DynamoDbService } from '../../../../infra/embedded/dynamodb/service.ts';
import { sdkPlugin } from '../../../../infra/embedded/sdk-plugin.ts';
import { noFaults, type Faults } from '../../../../infra/embedded/faults.ts';
import { jsonRequestHandler } from '../../../support/aws-wire/aws-json.ts';
import { closeServer } from '../../../support/close-server.ts';

export const TABLE = 'contract-table';
export const OTHER = 'contract-other';

const tables = [TABLE, OTHER].map((TableName): CreateTableCommandInput => ({
  TableName,
  BillingMode: 'PAY_PER_REQUEST',
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
  AttributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'sk', AttributeType: 'S' },
  ],
}));

export interface Target {
  readonly document: DynamoDBDocumentClient;
  close(): Promise<void>;
}

export type TargetName = 'dynalite' | 'embedded, serialised' | 'embedded, short-circuited';

const marshallOptions = { removeUndefinedValues: true };
const sdk = {
  region: 'us-east-1',
  credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
  maxAttempts: 1,
};

export const startTarget: Readonly<Record<TargetName, () => Promise<Target>>> = {
  dynalite: openDynalite,
  async 'embedded, serialised'() {
    const { service, close } = await openEngine();
    return { document: serialisedClient(service), close };
  },
  async 'embedded, short-circuited'() {
    const { service, close } = await openEngine();
    return { document: shortCircuitedClient(service), close };
  },
};

export const embedded: readonly TargetName[] = ['embedded, serialised', 'embedded, short-circuited'];
export const everywhere: readonly TargetName[] = ['dynalite', ...embedded];

/** Runs the same promises against each target. */
export function describeEach(
  names: readonly TargetName[],
  promises: (document: () => DynamoDBDocumentClient, name: TargetName) => void,
): void {
  describe.each(names)('%s', (name) => {
    let target: Target;
    beforeAll(async () => {
      target = await startTarget[name]();
    });
    afterAll(() => target.close());
    promises(() => target.document, name);
  });
}

function serialisedClient(service: DynamoDbService): DynamoDBDocumentClient {
  const requestHandler = jsonRequestHandler((operation, input) => service.call(operation, input), dynamoDbCodec);
  return DynamoDBDocumentClient.from(new DynamoDBClient({ ...sdk, requestHandler: requestHandler as never }), {
    marshallOptions,
  });
}

export function shortCircuitedClient(service: DynamoDbService): DynamoDBDocumentClient {
  const client = new DynamoDBClient(sdk);
  const document = DynamoDBDocumentClient.from(client, { marshallOptions });
  const dispatch = ({ operation, input }: Parameters<Parameters<typeof sdkPlugin>[0]['dispatch']>[0]) =>
    service.call(operation, input);
  document.middlewareStack.use(sdkPlugin({ dispatch, role: 'role' }));
  return document;
}

interface EngineOptions {
  clock?: FakeClock;
  faults?: Faults;
  onConsumed?: OnConsumed;
  /** Keeps the data for another engine. The caller removes it. */
  path?: string;
}

export interface OpenEngine {
  readonly service: DynamoDbService;
  readonly clock: FakeClock;
  readonly disk: Disk;
  close(): Promise<void>;
}

export async function openEngine(options: EngineOptions = {}): Promise<OpenEngine> {
  const path = options.path ?? (await mkdtemp(join(tmpdir(), 'tributary-dynamodb-')));
  const disk = await openDisk(path, { sync: 'interval' });
  const clock = options.clock ?? new FakeClock();
  const service = new DynamoDbService({
    disk,
    clock,
    faults: options.faults ?? noFaults,
    region: 'us-east-1',
    account: '000000000000',
    ...(options.onConsumed && { onConsumed: options.onConsumed }),
  });
  for (const { TableName, KeySchema, AttributeDefinitions } of tables) {
    await service.createTable({
      name: TableName ?? '',
      keySchema: KeySchema as never,
      attributeDefinitions: AttributeDefinitions as never,
      timeToLiveAttribute: 'expires',
    });
  }
  return {
    service,
    clock,
    disk,
    async close() {
      service.close();
      await disk.close();
      if (options.path === undefined) await rm(path, { recursive: true });
    },
  };
}

async function openDynalite(): Promise<Target> {
  const require = createRequire(import.meta.url);
  const dynalite = require('dynalite') as (options: object) => Server;
  const server = dynalite({ createTableMs: 0 });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = new DynamoDBClient({ ...sdk, endpoint: `http://127.0.0.1:${port}` });
  for (const table of tables) await client.send(new CreateTableCommand(table));
  return {
    document: DynamoDBDocumentClient.from(client, { marshallOptions }),
    async close() {
      client.destroy();
      await closeServer(server);
    },
  };
}
