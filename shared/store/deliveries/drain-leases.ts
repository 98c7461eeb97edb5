import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { WebhookId } from '../../domain/id.ts';
import { drainKey } from '../table/keys.ts';
import { updateItem, epochPrefix, getItem, type TableOptions } from '../table/table-client.ts';

export type DrainLeases = ReturnType<typeof drainLeases>;

/**
 * Longer than the work of one invocation. A lease that is taken at the end of that work has expired when the worker's
 * message becomes visible again (`sizing.ts`): the message goes on with the work, should the worker have died.
 */
const LEASE_MS = 55_000;
/** Delay of the message that follows a worker: the lease has expired by then, should the worker have died. */
export const FOLLOW_SECONDS = 60;

/** Clocks of two machines differ by less: a message that was just received does not count as on its way. */
const CLOCK_MS = 5_000;

const Followed = z.object({ drainFollowedUntil: z.number().optional() });

type Work = 'drain' | 'probe' | 'recovery';

/**
 * One worker at a time sends the waiting deliveries of a webhook, one its probe, and one its recovery. The lease of a
 * worker that died expires.
 */
export function drainLeases(table: TableOptions) {
  const prefix = epochPrefix(table);
  return {
    /** Whether a message is on its way that continues a drain at this time, or before it. */
    async isFollowed(webhookId: WebhookId, { now, by }: { now: number; by: number }): Promise<boolean> {
      const Key = drainKey(webhookId);
      const Item = (await getItem(table, Key)) ?? {};
      const { drainFollowedUntil: at = 0 } = Followed.parse(Item);
      return at > now + CLOCK_MS && at <= by;
    },

    /** Records that such a message was sent, which comes at this time. */
    async follow(webhookId: WebhookId, at: number): Promise<void> {
      await updateItem(table, {
        Key: drainKey(webhookId),
        UpdateExpression: 'SET drainFollowedUntil = :until',
        ExpressionAttributeValues: { ':until': at },
      });
    },

    /** Returns the function that releases the lease. Undefined while another worker has it. */
    async acquire(webhookId: WebhookId, now: number, work: Work = 'drain'): Promise<(() => Promise<void>) | undefined> {
      const Key = drainKey(webhookId);
      const worker = prefix + randomUUID();
      const ExpressionAttributeNames = { '#work': work, '#worker': `${work}Worker` };
      const written = await updateItem(table, {
        Key,
        UpdateExpression: 'SET #work = :until, #worker = :worker',
        // `#worker = :worker` is this very lease: the SDK repeats a request whose response was lost.
        ConditionExpression:
          'attribute_not_exists(#work) OR #work < :now OR #worker = :worker OR NOT begins_with(#worker, :epoch)',
        ExpressionAttributeNames,
        ExpressionAttributeValues: {
          ':until': now + LEASE_MS,
          ':now': now,
          ':worker': worker,
          ':epoch': prefix,
        },
      });
      if (!written) return undefined;
      return async () => {
        await updateItem(table, {
          Key,
          UpdateExpression: 'REMOVE #work, #worker',
          ConditionExpression: '#worker = :worker',
          ExpressionAttributeNames,
          ExpressionAttributeValues: { ':worker': worker },
        });
      };
    },
  };
}
