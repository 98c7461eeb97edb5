import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  RestoreTableToPointInTimeCommand,
  TagResourceCommand,
  UpdateContinuousBackupsCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { tableSchema } from '../../../shared/store/table/table.ts';

const Described = z.object({
  TableArn: z.string(),
  TableStatus: z.string(),
  TableSizeBytes: z.number().default(0),
  RestoreSummary: z.object({ SourceTableArn: z.string(), RestoreDateTime: z.date() }).optional(),
});
type Described = z.output<typeof Described>;

/** The seconds to which a table can be restored. */
export interface RecoveryWindow {
  earliest: Date;
  latest: Date;
}

const isNamed = (error: unknown, name: string): boolean => error instanceof Error && error.name === name;

/** Undefined if there is no such table. */
export async function describeTable(dynamo: DynamoDBClient, name: string): Promise<Described | undefined> {
  try {
    const { Table } = await dynamo.send(new DescribeTableCommand({ TableName: name }));
    return Described.parse(Table);
  } catch (error) {
    if (isNamed(error, 'ResourceNotFoundException')) return undefined;
    throw error;
  }
}

async function recoveryOf(dynamo: DynamoDBClient, name: string) {
  const { ContinuousBackupsDescription: described } = await dynamo.send(
    new DescribeContinuousBackupsCommand({ TableName: name }),
  );
  return described?.PointInTimeRecoveryDescription;
}

/** Undefined if the table has no point-in-time recovery. */
export async function recoveryWindow(dynamo: DynamoDBClient, name: string): Promise<RecoveryWindow | undefined> {
  const recovery = await recoveryOf(dynamo, name);
  const { EarliestRestorableDateTime: earliest, LatestRestorableDateTime: latest } = recovery ?? {};
  return earliest && latest ? { earliest, latest } : undefined;
}

/** Starts the restoration. Another call may have started it already. */
export async function startRestoration(
  dynamo: DynamoDBClient,
  { source, target, to }: { source: string; target: string; to: Date },
): Promise<void> {
  try {
    await dynamo.send(
      new RestoreTableToPointInTimeCommand({
        SourceTableName: source,
        TargetTableName: target,
        RestoreDateTime: to,
      }),
    );
  } catch (error) {
    if (!isNamed(error, 'TableAlreadyExistsException')) throw error;
  }
}

const ATTEMPTS = 20;
const ATTEMPT_MS = 15_000;

/**
 * A restoration leaves these settings out: expiry of items, point-in-time recovery, and tags. Each step may be
 * repeated.
 */
export async function applySettings(
  dynamo: DynamoDBClient,
  { name, arn }: { name: string; arn: string },
  { tags, pause }: { tags: Readonly<Record<string, string>>; pause(ms: number): Promise<void> },
): Promise<void> {
  await dynamo.send(
    new TagResourceCommand({
      ResourceArn: arn,
      Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
    }),
  );
  await enableExpiry(dynamo, name);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await enableRecovery(dynamo, name);
    } catch (error) {
      // A new table has no continuous backups in its first minutes.
      if (!isNamed(error, 'ContinuousBackupsUnavailableException') || attempt === ATTEMPTS) throw error;
      await pause(ATTEMPT_MS);
    }
  }
}

/** DynamoDB refuses to enable what is enabled, and allows one change an hour. */
async function enableExpiry(dynamo: DynamoDBClient, name: string): Promise<void> {
  const { TimeToLiveDescription: found } = await dynamo.send(new DescribeTimeToLiveCommand({ TableName: name }));
  const status = found?.TimeToLiveStatus;
  if (status === 'ENABLED' || status === 'ENABLING') return;
  await dynamo.send(
    new UpdateTimeToLiveCommand({
      TableName: name,
      TimeToLiveSpecification: { Enabled: true, AttributeName: tableSchema.timeToLive },
    }),
  );
}

async function enableRecovery(dynamo: DynamoDBClient, name: string): Promise<void> {
  const recovery = await recoveryOf(dynamo, name);
  if (recovery?.PointInTimeRecoveryStatus === 'ENABLED') return;
  await dynamo.send(
    new UpdateContinuousBackupsCommand({
      TableName: name,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    }),
  );
}
