import type { UserId, WebhookId } from '../../domain/id.ts';
import type { Webhook } from '../../domain/webhook/webhook.ts';
import type { WebhookStore } from '../../store/subscriptions/webhooks.ts';
import { notFound } from '../../domain/errors.ts';

/** Throws `not_found` for another user's webhook too, so that ids cannot be probed. */
export async function ownedWebhook(
  { webhooks }: { webhooks: Pick<WebhookStore, 'find'> },
  id: WebhookId,
  userId: UserId,
): Promise<Webhook> {
  const webhook = await webhooks.find(id);
  if (webhook?.ownerId !== userId) throw notFound(`webhook ${id}`);
  return webhook;
}
