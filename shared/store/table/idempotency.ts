import * as z from 'zod';
import { DAY_MS } from '../../lib/durations.ts';
import { idempotencyKey } from './keys.ts';
import { putItem, getItem, type TableOptions } from './table-client.ts';

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

export type IdempotencyStore = ReturnType<typeof idempotencyStore>;

const LIFETIME_MS = DAY_MS;

export function idempotencyStore(table: TableOptions) {
  const itemOf = (hash: string, claim: Claim, now: number) => ({
    ...idempotencyKey(hash),
    ...claim,
    expiresAt: Math.floor((now + LIFETIME_MS) / 1000),
  });
  return {
    /** Claims the key for these triggers. Returns the earlier claim if there is one. */
    async claim(hash: string, claim: NewClaim, now: number): Promise<Claim> {
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

    /** Records that the queue accepted all triggers of the claim. */
    async settle(hash: string, claim: NewClaim, now: number): Promise<void> {
      await putItem(table, { Item: itemOf(hash, { ...claim, accepted: true }, now) });
    },
  };
}
