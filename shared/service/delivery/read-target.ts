import { isWebhookId, type ListenerId } from '../../domain/id.ts';
import { type HttpTarget, targetOf, targetOfWebhook } from './http-target.ts';
import type { DeliveryServices } from './delivery-services.ts';

/** The target as it is at this moment. Undefined when it was deleted. */
export async function readTarget(
  { matching, webhooks, now }: Pick<DeliveryServices, 'matching' | 'webhooks' | 'now'>,
  listenerId: ListenerId,
): Promise<HttpTarget | undefined> {
  if (isWebhookId(listenerId)) {
    const webhook = await webhooks.find(listenerId);
    return webhook && targetOfWebhook(webhook, now());
  }
  const listener = await matching.listener(listenerId);
  return listener && targetOf(listener, now());
}
