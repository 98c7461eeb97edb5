import { setTimeout as pause } from 'node:timers/promises';
import {
  BatchGetCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  DeleteCommand,
  type DeleteCommandInput,
  PutCommand,
  type PutCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { OnUnreadable } from '../../domain/unreadable.ts';
import { cancellationReasons } from '../../lib/cancellation-reasons.ts';

/* Access to the table with retries of conflicts and unprocessed keys, and with paging. */

export interface TableOptions {
  dynamo: DynamoDBDocumentClient;
  tableName: string;
  /** Leases, claims and permits of another epoch are void: their processes have ended. Default: one epoch for ever. */
  epoch?: string;
  /** Lists report an item that cannot be read, and leave it out. Default: the error of the first one is thrown. */
  onUnreadable?: OnUnreadable;
}

const EPOCH = '0';

/** The beginning of a holder's id, which tells the leases of this epoch. */
export const epochPrefix = ({ epoch = EPOCH }: TableOptions): string => `${epoch}/`;

export interface Key {
  pk: string;
  sk: string;
}

export type Writes = NonNullable<TransactWriteCommandInput['TransactItems']>;

/** The condition that there is no such item yet. */
export const IS_NEW = { ConditionExpression: 'attribute_not_exists(pk)' };

/** Attempts of a write with conflicts; together at most about 3 s. */
const MAX_ATTEMPTS = 14;

/** Executes all writes or none. Returns the index of the first write whose condition failed. */
export async function transact(
  { dynamo }: TableOptions,
  writes: Writes,
): Promise<{ ok: true } | { ok: false; failed: number }> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await dynamo.send(new TransactWriteCommand({ TransactItems: writes }));
      return { ok: true };
    } catch (error) {
      const failed = cancellationReasons(error).indexOf('ConditionalCheckFailed');
      if (failed >= 0) return { ok: false, failed };
      if (!isConflict(error) || attempt === MAX_ATTEMPTS) throw error;
      await pause(backOff(attempt));
    }
  }
}

/** Executes a conditional write. Undefined when the condition does not hold. Retries conflicts with transactions. */
export async function conditionally<T>(write: () => Promise<T>): Promise<T | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write();
    } catch (error) {
      if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return undefined;
      if (!isConflict(error) || attempt === MAX_ATTEMPTS) throw error;
      await pause(backOff(attempt));
    }
  }
}

/** Reads an item, strongly consistent. */
export async function getItem(
  { dynamo, tableName: TableName }: TableOptions,
  { pk, sk }: Key,
): Promise<Record<string, unknown> | undefined> {
  return (await dynamo.send(new GetCommand({ TableName, Key: { pk, sk }, ConsistentRead: true }))).Item;
}

/** Reads items in no particular order; missing items are absent from the result. */
export async function batchGet(
  { dynamo, tableName }: TableOptions,
  keys: readonly Key[],
  { consistent = true } = {},
): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  let waiting: readonly Record<string, unknown>[] = keys.map(({ pk, sk }) => ({ pk, sk }));
  for (let attempt = 1; waiting.length > 0; attempt += 1) {
    const batch = waiting.slice(0, 100);
    const { Responses, UnprocessedKeys } = await dynamo.send(
      new BatchGetCommand({
        RequestItems: { [tableName]: { Keys: [...batch], ConsistentRead: consistent } },
      }),
    );
    found.push(...(Responses?.[tableName] ?? []));
    const refused = UnprocessedKeys?.[tableName]?.Keys ?? [];
    if (refused.length === batch.length) await pause(backOff(attempt));
    waiting = [...refused, ...waiting.slice(100)];
  }
  return found;
}

type Query = Omit<QueryCommandInput, 'TableName'>;

/** The pages of a query, read as they are asked for. */
export async function* queryPages(
  { dynamo, tableName }: TableOptions,
  query: Query,
): AsyncGenerator<Record<string, unknown>[]> {
  let start: QueryCommandInput['ExclusiveStartKey'];
  do {
    const { Items = [], LastEvaluatedKey } = await dynamo.send(
      new QueryCommand({
        TableName: tableName,
        ConsistentRead: true,
        ...query,
        ...(start ? { ExclusiveStartKey: start } : {}),
      }),
    );
    yield Items;
    start = LastEvaluatedKey;
  } while (start);
}

/** The items of the first page of a query. */
export async function queryPage(table: TableOptions, query: Query): Promise<Record<string, unknown>[]> {
  for await (const items of queryPages(table, query)) return items;
  return [];
}

/** All items of a query, from all pages. */
export async function queryAll(table: TableOptions, query: Query): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  for await (const page of queryPages(table, query)) found.push(...page);
  return found;
}

/** A query for the items of a partition. */
export const wholePartition = (pk: string) => ({
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeValues: { ':pk': pk },
});

/** A query for the items of a partition with these sort keys, and those between them. */
export const keysBetween = (pk: string, first: string, last: string) => ({
  KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
  ExpressionAttributeValues: { ':pk': pk, ':first': first, ':last': last },
});

/** A query for the items of a partition with this sort key prefix. */
export const beginningWith = (pk: string, prefix: string) => ({
  KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
  ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
});

const CONFLICTS = new Set(['TransactionConflictException', 'TransactionInProgressException']);

const isConflict = (error: unknown) =>
  error instanceof Error && (CONFLICTS.has(error.name) || cancellationReasons(error).includes('TransactionConflict'));

const backOff = (attempt: number) => Math.min(400, 10 * 2 ** attempt) * (0.3 + 0.7 * Math.random());

/*
 * Writes of one item, repeated after a conflict with a transaction. Each resolves with false when its condition does
 * not hold.
 */

type Input<T> = Omit<T, 'TableName'>;

export const putItem = ({ dynamo, tableName: TableName }: TableOptions, put: Input<PutCommandInput>) =>
  isDone(() => dynamo.send(new PutCommand({ TableName, ...put })));

export const updateItem = ({ dynamo, tableName: TableName }: TableOptions, update: Input<UpdateCommandInput>) =>
  isDone(() => dynamo.send(new UpdateCommand({ TableName, ...update })));

export const deleteItem = ({ dynamo, tableName: TableName }: TableOptions, removal: Input<DeleteCommandInput>) =>
  isDone(() => dynamo.send(new DeleteCommand({ TableName, ...removal })));

const isDone = async (write: () => Promise<unknown>): Promise<boolean> => (await conditionally(write)) !== undefined;
