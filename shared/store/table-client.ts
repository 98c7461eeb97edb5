import { setTimeout as pause } from 'node:timers/promises';
import {
  BatchGetCommand,
  type DynamoDBDocumentClient,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';

/** The one table, and what its clients make wearisome: conflicts, unprocessed keys, pages. */
export interface TableOptions {
  dynamo: DynamoDBDocumentClient;
  tableName: string;
}

export interface Key {
  pk: string;
  sk: string;
}

export type Writes = NonNullable<TransactWriteCommandInput['TransactItems']>;

/** Tries of a transaction that others are in the way of; together at most about 3 s. */
const TRIES = 14;

/** Every write, or none: answers with the index of the first write whose condition failed. */
export async function transact(
  { dynamo }: TableOptions,
  writes: Writes,
): Promise<{ ok: true } | { ok: false; failed: number }> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await dynamo.send(new TransactWriteCommand({ TransactItems: writes }));
      return { ok: true };
    } catch (error) {
      const failed = reasonsOf(error).indexOf('ConditionalCheckFailed');
      if (failed >= 0) return { ok: false, failed };
      if (!isConflict(error) || attempt === TRIES) throw error;
      await pause(backOff(attempt));
    }
  }
}

/** A single write under a condition: false when the condition does not hold. Waits out transactions that touch its item. */
export async function conditionally<T>(write: () => Promise<T>): Promise<T | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write();
    } catch (error) {
      if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return undefined;
      if (!isConflict(error) || attempt === TRIES) throw error;
      await pause(backOff(attempt));
    }
  }
}

/** Reads all of them, in no particular order; those that do not exist are missing from the answer. */
export async function batchGet(
  { dynamo, tableName }: TableOptions,
  keys: readonly Key[],
  { consistent = true } = {},
): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  let waiting: readonly Record<string, unknown>[] = keys.map(({ pk, sk }) => ({ pk, sk }));
  for (let attempt = 1; waiting.length > 0; attempt += 1) {
    const asked = waiting.slice(0, 100);
    const { Responses, UnprocessedKeys } = await dynamo.send(
      new BatchGetCommand({
        RequestItems: { [tableName]: { Keys: [...asked], ConsistentRead: consistent } },
      }),
    );
    found.push(...(Responses?.[tableName] ?? []));
    const refused = UnprocessedKeys?.[tableName]?.Keys ?? [];
    if (refused.length === asked.length) await pause(backOff(attempt));
    waiting = [...refused, ...waiting.slice(100)];
  }
  return found;
}

/** Every item of a query, page after page. */
export async function queryAll(
  { dynamo, tableName }: TableOptions,
  query: Omit<QueryCommandInput, 'TableName'>,
): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
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
    found.push(...Items);
    start = LastEvaluatedKey;
  } while (start);
  return found;
}

/** A query for the items of a partition whose sort key begins so. */
export const beginningWith = (pk: string, prefix: string) => ({
  KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
  ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
});

function reasonsOf(error: unknown): (string | undefined)[] {
  if (!(error instanceof Error) || !('CancellationReasons' in error)) return [];
  const { CancellationReasons: reasons } = error;
  if (!Array.isArray(reasons)) return [];
  return reasons.map((reason: unknown) =>
    typeof reason === 'object' && reason !== null && 'Code' in reason ? String(reason.Code) : undefined,
  );
}

const CONFLICTS = new Set(['TransactionConflictException', 'TransactionInProgressException']);

const isConflict = (error: unknown) =>
  error instanceof Error && (CONFLICTS.has(error.name) || reasonsOf(error).includes('TransactionConflict'));

const backOff = (attempt: number) => Math.min(400, 10 * 2 ** attempt) * (0.3 + 0.7 * Math.random());
