import type { Delivery } from '../../domain/delivery/delivery.ts';
import type { DeliveryId, UserId } from '../../domain/id.ts';
import type { Webhook } from '../../domain/webhook/webhook.ts';
import type { WebhookStore } from '../../store/subscriptions/webhooks.ts';
import { LISTED, type LookUpRates } from '../admission/look-up-rates.ts';
import { deliveriesById, type DeliveriesByIdContext } from './deliveries-by-id.ts';
import { ownedWebhook } from './owned-webhook.ts';
import { notFound } from '../../domain/errors.ts';

interface FindDeliveryContext extends DeliveriesByIdContext {
  webhooks: Pick<WebhookStore, 'ids' | 'find'>;
  lookUps: LookUpRates;
}

/**
 * The delivery with this id, and its webhook. The id does not name the webhook, so that each one of the user is asked
 * for it.
 */
export async function findDelivery(
  { webhooks, lookUps, ...context }: FindDeliveryContext,
  ownerId: UserId,
  id: DeliveryId,
): Promise<{ delivery: Delivery; webhook: Webhook }> {
  await lookUps.admit(ownerId, LISTED);
  const wanted = (await webhooks.ids(ownerId)).map((listenerId) => ({ listenerId, id }));
  await lookUps.admit(ownerId, wanted.length);
  const asked = new Map(wanted.map(({ listenerId }) => [String(listenerId), listenerId]));
  const [delivery] = await deliveriesById(context, wanted);
  const webhookId = delivery && asked.get(delivery.listenerId);
  if (!webhookId) throw notFound(`delivery ${id}`);
  return { delivery, webhook: await ownedWebhook({ webhooks }, webhookId, ownerId) };
}
