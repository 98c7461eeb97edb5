import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { WebhookId } from '../../domain/id.ts';
import { reserveSlots } from '../../domain/delivery/send-slots.ts';
import { rateKey } from './keys.ts';
import { conditionally, type TableOptions } from './table-client.ts';

export type SendSlots = ReturnType<typeof sendSlots>;

interface Reservation {
  webhookId: WebhookId;
  perSecond: number;
  count: number;
  now: number;
  horizonMs: number;
}

/** Reserves times for the attempts of webhooks with a rate limit, across all functions and instances. */
export function sendSlots({ dynamo, tableName: TableName }: TableOptions) {
  return {
    /** Start times of attempts, epoch ms; fewer than `count` when the next ones are beyond the horizon. */
    async reserve({ webhookId, ...request }: Reservation): Promise<number[]> {
      const Key = rateKey(webhookId);
      for (;;) {
        const { Item } = await dynamo.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
        const before = z.object({ freeAt: z.number().optional() }).parse(Item ?? {}).freeAt;
        const { slots, free } = reserveSlots({ free: before, ...request });
        if (slots.length === 0) return [];
        const written = await conditionally(() =>
          dynamo.send(
            new UpdateCommand({
              TableName,
              Key,
              UpdateExpression: 'SET freeAt = :free',
              ConditionExpression: before === undefined ? 'attribute_not_exists(freeAt)' : 'freeAt = :before',
              ExpressionAttributeValues: {
                ':free': free,
                ...(before === undefined ? {} : { ':before': before }),
              },
            }),
          ),
        );
        if (written) return slots;
      }
    },
  };
}
