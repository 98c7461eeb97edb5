import { isWebhookId, type ListenerId } from '../../domain/id.ts';
import type { ListenerStore } from '../../store/matching.ts';
import type { WebhookStore } from '../../store/webhooks.ts';
import { type HttpTarget, targetOf, targetOfWebhook } from './http-target.ts';

export interface ReadTargetOptions {
  listeners: Pick<ListenerStore, 'listeners'>;
  webhooks: Pick<WebhookStore, 'find'>;
  now(): number;
}

/** The target as it is at this moment. Undefined when it was deleted. */
export async function readTarget(
  { listeners, webhooks, now }: ReadTargetOptions,
  listenerId: ListenerId,
): Promise<HttpTarget | undefined> {
  if (isWebhookId(listenerId)) {
    const webhook = await webhooks.find(listenerId);
    return webhook && targetOfWebhook(webhook, now());
  }
  const listener = (await listeners.listeners([listenerId])).get(listenerId);
  return listener && targetOf(listener, now());
}
