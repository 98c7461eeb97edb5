import * as z from 'zod';
import type { DeliveryId, WebhookId } from '../../domain/id.ts';
import { attemptsPartition, deliveriesPartition, deliveryLogPartition } from './keys.ts';
import { updateItem, queryPages, type TableOptions } from './table-client.ts';

export type ExpiringItems = ReturnType<typeof expiringItems>;

const Expiring = z.object({ pk: z.string(), sk: z.string() });

interface Extension {
  /** Items that would expire before this are kept until `until`; epoch ms. */
  before: number;
  until: number;
}

const seconds = (ms: number) => Math.floor(ms / 1_000);

/** The items of a webhook's deliveries, by the time at which they expire. */
export function expiringItems(table: TableOptions) {
  async function* expiring(pk: string, from: string, before: number) {
    const pages = queryPages(table, {
      KeyConditionExpression: 'pk = :pk AND sk >= :from',
      FilterExpression: 'expiresAt < :before',
      ProjectionExpression: 'pk, sk',
      ExpressionAttributeValues: { ':pk': pk, ':from': from, ':before': seconds(before) },
    });
    for await (const page of pages) for (const item of page) yield Expiring.parse(item);
  }

  async function extend(pk: string, from: string, extension: Extension): Promise<string[]> {
    const extended: string[] = [];
    for await (const Key of expiring(pk, from, extension.before)) {
      await updateItem(table, {
        Key,
        UpdateExpression: 'SET expiresAt = :until',
        ConditionExpression: 'expiresAt < :until',
        ExpressionAttributeValues: { ':until': seconds(extension.until) },
      });
      extended.push(Key.sk);
    }
    return extended;
  }

  return {
    /** Keeps the deliveries from this one on: their log items, or their items with payload and attempts. */
    async keepFrom(webhookId: WebhookId, from: DeliveryId, extension: Extension): Promise<void> {
      await extend(deliveryLogPartition(webhookId), from, extension);
      const ids = await extend(deliveriesPartition(webhookId), from, extension);
      for (const id of ids) await extend(attemptsPartition(id), ' ', extension);
    },
  };
}
