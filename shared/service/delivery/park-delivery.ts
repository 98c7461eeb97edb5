import { isWebhookId, type ListenerId } from '../../domain/id.ts';
import { webhookWork } from '../../domain/webhook/webhook.ts';
import type { StoredDelivery } from '../../store/deliveries/delivery-item.ts';
import type { DeliveryServices } from './delivery-services.ts';
import { startWork } from './send-next.ts';

/** Leaves the delivery to the worker that sends a webhook's waiting deliveries. A delivery without `nextAt` is due. */
export async function parkDelivery(services: DeliveryServices, delivery: StoredDelivery): Promise<void> {
  if (await services.deliveries.move(delivery, 'waiting')) await ensureSender(services, delivery.listenerId);
}

/**
 * Makes sure that something will send the waiting deliveries of a webhook. Call it after a delivery was put on the
 * list: it reads the webhook after that, because the breaker may have closed, or its probes ended, in between.
 */
export async function ensureSender(
  services: Pick<DeliveryServices, 'webhooks' | 'sendRetry' | 'now'>,
  listenerId: ListenerId,
): Promise<void> {
  const webhook = isWebhookId(listenerId) ? await services.webhooks.find(listenerId) : undefined;
  if (!webhook) return;
  const work = webhookWork(webhook);
  // A probe is on its way, and its success sends the others.
  if (work.kind === 'probe' && !work.breaker.isIdle) return;
  await startWork(services, webhook);
  if (work.kind !== 'probe') return;
  // Void if the webhook changed meanwhile: then the message may have been handled.
  const breaker = { ...work.breaker, isIdle: undefined };
  await services.webhooks.change(webhook, { health: { ...webhook.health, breaker } });
}
