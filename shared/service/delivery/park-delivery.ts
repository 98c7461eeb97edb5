import { isWebhookId, type ListenerId, type WebhookId } from '../../domain/id.ts';
import type { RetryMessage } from '../../domain/message.ts';
import { secondsUntil } from '../../domain/queue-delay.ts';
import type { DeliveryStore } from '../../store/deliveries.ts';
import type { StoredDelivery } from '../../store/delivery-item.ts';
import type { WebhookStore } from '../../store/webhooks.ts';

export interface ParkOptions {
  deliveries: Pick<DeliveryStore, 'move'>;
  webhooks: Pick<WebhookStore, 'find'>;
  sendRetry(message: RetryMessage, delaySeconds: number): Promise<void>;
  now(): number;
}

/** Leaves the delivery to the worker that sends a webhook's waiting deliveries. */
export async function parkDelivery(options: ParkOptions, delivery: StoredDelivery): Promise<void> {
  if (await options.deliveries.move(delivery, 'waiting')) await ensureSender(options, delivery.listenerId);
}

/**
 * Makes sure that something will send the waiting deliveries of a webhook. Call it after a delivery was put on the list: it reads the
 * webhook after that, because the breaker may have closed, or its probes ended, in between.
 */
export async function ensureSender(
  { webhooks, sendRetry, now }: Omit<ParkOptions, 'deliveries'>,
  listenerId: ListenerId,
): Promise<void> {
  const next = isWebhookId(listenerId) ? await senderOf(webhooks, listenerId) : undefined;
  if (next) await sendRetry(next.message, secondsUntil(next.at, now()));
}

async function senderOf(
  webhooks: ParkOptions['webhooks'],
  listenerId: WebhookId,
): Promise<{ message: RetryMessage; at: number } | undefined> {
  const webhook = await webhooks.find(listenerId);
  if (!webhook) return undefined;
  if (!webhook.active) return { message: { kind: 'hold', listenerId }, at: 0 };
  const { breaker } = webhook.health;
  if (!breaker) return { message: { kind: 'drain', listenerId }, at: 0 };
  // A probe is on its way, and its success sends the others.
  if (!breaker.isIdle) return undefined;
  return { message: { kind: 'probe', listenerId, probe: breaker.probe }, at: breaker.probeAt };
}
