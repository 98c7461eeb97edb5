import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { ServiceError } from '../domain/errors.ts';
import type { UserId } from '../domain/id.ts';
import { countsKey } from './keys.ts';
import type { TableOptions, Writes } from './table-client.ts';

/** Counters of a user's objects, updated in the same transaction that creates or removes an object. */
const Counts = z.object({
  sources: z.number().default(0),
  webhooks: z.number().default(0),
  subscriptions: z.number().default(0),
  components: z.number().default(0),
  delayedEmits: z.number().default(0),
});
export type Counted = keyof z.infer<typeof Counts>;

export async function readCounts(
  { dynamo, tableName }: TableOptions,
  ownerId: UserId,
): Promise<z.infer<typeof Counts>> {
  const { Item = {} } = await dynamo.send(
    new GetCommand({ TableName: tableName, Key: countsKey(ownerId), ConsistentRead: true }),
  );
  return Counts.parse(Item);
}

/** Increments a counter on condition that it is below the limit. */
export const countUp = (
  tableName: string,
  ownerId: UserId,
  counted: Counted,
  limit: number,
): Writes[number] => ({
  Update: {
    TableName: tableName,
    Key: countsKey(ownerId),
    UpdateExpression: 'ADD #counted :one',
    ConditionExpression: 'attribute_not_exists(#counted) OR #counted < :limit',
    ExpressionAttributeNames: { '#counted': counted },
    ExpressionAttributeValues: { ':one': 1, ':limit': limit },
  },
});

export const countDown = (tableName: string, ownerId: UserId, counted: Counted): Writes[number] => ({
  Update: {
    TableName: tableName,
    Key: countsKey(ownerId),
    UpdateExpression: 'ADD #counted :less',
    ExpressionAttributeNames: { '#counted': counted },
    ExpressionAttributeValues: { ':less': -1 },
  },
});

/** Delayed emits are refused by an event of `$errors`, not by an answer. */
type Listed = Exclude<Counted, 'delayedEmits'>;

const MENDS: Record<Listed, string> = {
  sources: 'Delete one, or ask',
  webhooks: 'Delete one, or ask',
  subscriptions: 'Delete one, or ask',
  components: 'Use one of them by its component_id, or ask',
};

export const limitReached = (counted: Listed, limit: number) =>
  new ServiceError(
    'conflict',
    'limit_reached',
    `You have reached the limit of ${limit} ${counted}. ${MENDS[counted]} the operator for a higher limit.`,
  );
