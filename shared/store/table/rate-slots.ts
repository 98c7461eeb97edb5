import * as z from 'zod';
import type { WebhookId } from '../../domain/id.ts';
import { reserveSlots } from '../../domain/delivery/send-slots.ts';
import { changeCurrent } from './change-current.ts';
import { rateKey } from './keys.ts';
import { updateItem, getItem, type TableOptions } from './table-client.ts';

export type SendSlots = ReturnType<typeof sendSlots>;

interface Reservation {
  webhookId: WebhookId;
  perSecond: number;
  count: number;
  now: number;
  horizonMs: number;
}

const RateItem = z.object({ freeAt: z.number().optional() });

/** Reserves times for the attempts of webhooks with a rate limit, across all functions and instances. */
export function sendSlots(table: TableOptions) {
  return {
    /** Start times of attempts, epoch ms; fewer than `count` when the next ones are beyond the horizon. */
    reserve({ webhookId, ...request }: Reservation): Promise<number[]> {
      const Key = rateKey(webhookId);
      return changeCurrent({
        find: async () => RateItem.parse((await getItem(table, Key)) ?? {}),
        write: async ({ freeAt: before }) => {
          const { slots, free } = reserveSlots({ free: before, ...request });
          if (slots.length === 0) return slots;
          const written = await updateItem(table, {
            Key,
            UpdateExpression: 'SET freeAt = :free',
            ConditionExpression: before === undefined ? 'attribute_not_exists(freeAt)' : 'freeAt = :before',
            ExpressionAttributeValues: {
              ':free': free,
              ...(before === undefined ? {} : { ':before': before }),
            },
          });
          return written && slots;
        },
      });
    },
  };
}
