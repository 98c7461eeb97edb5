import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { ServiceError } from '../../domain/errors.ts';
import type { UserId } from '../../domain/id.ts';
import { countsKey } from './keys.ts';
import { getItem, type TableOptions, type Writes } from './table-client.ts';

/** Counters of a user's objects, updated in the same transaction that creates or removes an object. */
const Counts = z.object({
  sources: z.number().default(0),
  webhooks: z.number().default(0),
  subscriptions: z.number().default(0),
  components: z.number().default(0),
  delayedEmits: z.number().default(0),
  accounts: z.number().default(0),
});
export type Counted = keyof z.infer<typeof Counts>;

/** Bytes that are counted in the same transactions. */
const ByteCounts = z.object({
  componentBytes: z.number().default(0),
  delayedBytes: z.number().default(0),
});
type CountedBytes = keyof z.infer<typeof ByteCounts>;

const BYTES_OF: Partial<Record<Counted, CountedBytes>> = {
  components: 'componentBytes',
  delayedEmits: 'delayedBytes',
};

function addition(counted: Counted, change: number, bytes: number) {
  const bytesName = BYTES_OF[counted];
  const counts = bytesName !== undefined && bytes !== 0;
  return {
    UpdateExpression: counts ? 'ADD #counted :change, #bytes :bytes' : 'ADD #counted :change',
    ExpressionAttributeNames: { '#counted': counted, ...(counts ? { '#bytes': bytesName } : {}) },
    ExpressionAttributeValues: { ':change': change, ...(counts ? { ':bytes': bytes } : {}) },
  };
}

export async function readByteCounts(
  { dynamo, tableName }: TableOptions,
  ownerId: UserId,
): Promise<z.infer<typeof ByteCounts>> {
  const { Item = {} } = await dynamo.send(new GetCommand({ TableName: tableName, Key: countsKey(ownerId) }));
  return ByteCounts.parse(Item);
}

export const readCounts = async (table: TableOptions, ownerId: UserId): Promise<z.infer<typeof Counts>> =>
  Counts.parse((await getItem(table, countsKey(ownerId))) ?? {});

interface CountChange {
  counted: Counted;
  by?: number;
  bytes?: number;
}

/** Increments a counter on condition that it does not exceed the limit then. */
export function countUp(
  tableName: string,
  ownerId: UserId,
  { counted, limit, by = 1, bytes = 0 }: CountChange & { limit: number },
): Writes[number] {
  const { ExpressionAttributeValues, ...added } = addition(counted, by, bytes);
  return {
    Update: {
      TableName: tableName,
      Key: countsKey(ownerId),
      ...added,
      ConditionExpression: 'attribute_not_exists(#counted) OR #counted <= :most',
      ExpressionAttributeValues: { ...ExpressionAttributeValues, ':most': limit - by },
    },
  };
}

export const countDown = (tableName: string, ownerId: UserId, counted: Counted, bytes = 0): Writes[number] =>
  countDownBy(tableName, ownerId, { counted, bytes });

export const countDownBy = (
  tableName: string,
  ownerId: UserId,
  { counted, by = 1, bytes = 0 }: CountChange,
): Writes[number] => ({
  Update: { TableName: tableName, Key: countsKey(ownerId), ...addition(counted, -by, -bytes) },
});

/** Delayed emits are refused by an event of `$errors`, not by a response. */
type Listed = Exclude<Counted, 'delayedEmits'>;

const HIGHER = 'ask the operator for a higher limit';
const MENDS: Record<Listed, string> = {
  sources: `Delete one, or ${HIGHER}`,
  webhooks: `Delete one, or ${HIGHER}`,
  subscriptions: `Delete one, or ${HIGHER}`,
  components: `Use one of them by its component_id, or ${HIGHER}`,
  accounts: 'Delete one',
};

export const limitReached = (counted: Listed, limit: number) =>
  new ServiceError('limit_reached', `You have reached the limit of ${limit} ${counted}. ${MENDS[counted]}.`);
