import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { DAY_MS } from '../lib/durations.ts';
import { idempotencyKey } from './keys.ts';
import { conditionally, type TableOptions } from './table-client.ts';

/** The trigger that belongs to an idempotency key. */
const Claim = z.object({
  triggerId: z.string(),
  /** True once the queue has accepted the trigger. */
  accepted: z.boolean(),
});
type Claim = z.infer<typeof Claim>;

export interface IdempotencyStore {
  /** Claims the key for this trigger. Returns the earlier claim if there is one. */
  claim(hash: string, triggerId: string, now: number): Promise<Claim>;
  /** Records that the queue accepted the trigger. */
  settle(hash: string, triggerId: string, now: number): Promise<void>;
}

/** Lifetime of a key. */
const LIFETIME_MS = DAY_MS;

export function idempotencyStore({ dynamo, tableName }: TableOptions): IdempotencyStore {
  const itemOf = (hash: string, claim: Claim, now: number) => ({
    ...idempotencyKey(hash),
    ...claim,
    expiresAt: Math.floor((now + LIFETIME_MS) / 1000),
  });
  return {
    async claim(hash, triggerId, now) {
      const claimed: Claim = { triggerId, accepted: false };
      const written = await conditionally(() =>
        dynamo.send(
          new PutCommand({
            TableName: tableName,
            Item: itemOf(hash, claimed, now),
            // DynamoDB removes expired items with a delay.
            ConditionExpression: 'attribute_not_exists(pk) OR expiresAt < :now',
            ExpressionAttributeValues: { ':now': Math.floor(now / 1000) },
          }),
        ),
      );
      if (written) return claimed;
      const { Item } = await dynamo.send(
        new GetCommand({ TableName: tableName, Key: idempotencyKey(hash), ConsistentRead: true }),
      );
      return Item ? Claim.parse(Item) : claimed;
    },

    async settle(hash, triggerId, now) {
      await dynamo.send(
        new PutCommand({ TableName: tableName, Item: itemOf(hash, { triggerId, accepted: true }, now) }),
      );
    },
  };
}
