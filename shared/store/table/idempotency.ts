import * as z from 'zod';
import { DAY_MS } from '../../lib/durations.ts';
import { idempotencyKey } from './keys.ts';
import { putItem } from './item-writes.ts';
import { getItem, type TableOptions } from './table-client.ts';

/** The triggers that belong to an idempotency key. */
const Claim = z.object({
  triggerId: z.string(),
  /** Number of events of an array; absent for a single event. Each event's trigger adds its index to the id. */
  events: z.number().int().optional(),
  /** True once the queue has accepted all triggers. */
  accepted: z.boolean(),
});
type Claim = z.infer<typeof Claim>;
type NewClaim = Omit<Claim, 'accepted'>;

export interface IdempotencyStore {
  /** Claims the key for these triggers. Returns the earlier claim if there is one. */
  claim(hash: string, claim: NewClaim, now: number): Promise<Claim>;
  /** Records that the queue accepted all triggers of the claim. */
  settle(hash: string, claim: NewClaim, now: number): Promise<void>;
}

/** Lifetime of a key. */
const LIFETIME_MS = DAY_MS;

export function idempotencyStore(table: TableOptions): IdempotencyStore {
  const itemOf = (hash: string, claim: Claim, now: number) => ({
    ...idempotencyKey(hash),
    ...claim,
    expiresAt: Math.floor((now + LIFETIME_MS) / 1000),
  });
  return {
    async claim(hash, claim, now) {
      const claimed: Claim = { ...claim, accepted: false };
      const written = await putItem(table, {
        Item: itemOf(hash, claimed, now),
        // DynamoDB removes expired items with a delay.
        ConditionExpression: 'attribute_not_exists(pk) OR expiresAt < :now',
        ExpressionAttributeValues: { ':now': Math.floor(now / 1000) },
      });
      if (written) return claimed;
      const Item = await getItem(table, idempotencyKey(hash));
      return Item ? Claim.parse(Item) : claimed;
    },

    async settle(hash, claim, now) {
      await putItem(table, { Item: itemOf(hash, { ...claim, accepted: true }, now) });
    },
  };
}
