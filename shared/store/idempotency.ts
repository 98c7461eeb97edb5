import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { idempotencyKey } from './keys.ts';
import { conditionally, type TableOptions } from './table-client.ts';

/** The answer that an idempotency key got. */
const Remembered = z.object({
  triggerId: z.string(),
  /** The trigger was accepted by its queue: nothing is left to do for this key. */
  accepted: z.boolean(),
});
type Remembered = z.infer<typeof Remembered>;

export interface IdempotencyStore {
  /** Takes the key for this trigger, or tells which one had it before. */
  claim(hash: string, triggerId: string, now: number): Promise<Remembered>;
  /** After the trigger was accepted. */
  settle(hash: string, triggerId: string, now: number): Promise<void>;
}

/** The same key gets the same answer for this long. */
const KEPT_MS = 24 * 60 * 60 * 1000;

export function idempotencyStore({ dynamo, tableName }: TableOptions): IdempotencyStore {
  const itemOf = (hash: string, remembered: Remembered, now: number) => ({
    ...idempotencyKey(hash),
    ...remembered,
    expiresAt: Math.floor((now + KEPT_MS) / 1000),
  });
  return {
    async claim(hash, triggerId, now) {
      const claimed: Remembered = { triggerId, accepted: false };
      const written = await conditionally(() =>
        dynamo.send(
          new PutCommand({
            TableName: tableName,
            Item: itemOf(hash, claimed, now),
            // Expired items are removed some time after they expired.
            ConditionExpression: 'attribute_not_exists(pk) OR expiresAt < :now',
            ExpressionAttributeValues: { ':now': Math.floor(now / 1000) },
          }),
        ),
      );
      if (written) return claimed;
      const { Item } = await dynamo.send(
        new GetCommand({ TableName: tableName, Key: idempotencyKey(hash), ConsistentRead: true }),
      );
      return Item ? Remembered.parse(Item) : claimed;
    },

    async settle(hash, triggerId, now) {
      await dynamo.send(
        new PutCommand({ TableName: tableName, Item: itemOf(hash, { triggerId, accepted: true }, now) }),
      );
    },
  };
}
