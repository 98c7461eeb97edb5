import type { Schedules } from '../../aws/schedules.ts';
import type { RetryMessage } from '../../domain/run/message.ts';
import type { Webhook } from '../../domain/webhook/webhook.ts';
import type { AutoSubscriptionStore } from '../../store/subscriptions/auto-subscriptions.ts';
import type { SubscriptionStore } from '../../store/subscriptions/subscriptions.ts';
import type { WebhookStore } from '../../store/subscriptions/webhooks.ts';
import { endKeeping } from './keep-log.ts';
import { notFound } from '../../domain/errors.ts';

interface RemoveWebhookOptions {
  webhooks: Pick<WebhookStore, 'remove'>;
  subscriptions: Pick<SubscriptionStore, 'removeAllOf'>;
  autoSubscriptions: Pick<AutoSubscriptionStore, 'removeAllOf'>;
  schedules: Pick<Schedules, 'delete'>;
  sendRetry(message: RetryMessage, delaySeconds: number): Promise<void>;
}

/** Removes a webhook and its subscriptions. Its deliveries can no longer be read, and a message removes them. */
export async function removeWebhook(
  { webhooks, subscriptions, autoSubscriptions, schedules, sendRetry }: RemoveWebhookOptions,
  webhook: Webhook,
): Promise<void> {
  const { id, ownerId } = webhook;
  if (!(await webhooks.remove(webhook))) throw notFound(`webhook ${id}`);
  await sendRetry({ kind: 'forget', listenerId: id, ownerId }, 0);
  await autoSubscriptions.removeAllOf(ownerId, id);
  await subscriptions.removeAllOf(id);
  await endKeeping(schedules, id);
}
