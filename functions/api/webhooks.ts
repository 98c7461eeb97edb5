import { randomBytes } from 'node:crypto';
import { ServiceError } from '../../shared/domain/errors.ts';
import { newId, type UserId, WebhookId } from '../../shared/domain/id.ts';
import { Limits } from '../../shared/domain/limits.ts';
import { type Webhook, webhookSecret } from '../../shared/domain/webhook.ts';
import { nothing, one, page } from '../../shared/http/answer.ts';
import { serve, table } from '../../shared/http/serve.ts';
import { environment } from '../../shared/lambda/environment.ts';
import { type Operation, operation } from '../../shared/http/http.ts';
import { webhooks as at } from '../../shared/http/routes/webhook-routes.ts';
import { inList, showWebhook } from '../../shared/http/show.ts';
import { autoSubscriptionStore } from '../../shared/store/auto-subscriptions.ts';
import { encodeCursor } from '../../shared/store/cursor.ts';
import { subscriptionStore } from '../../shared/store/subscriptions.ts';
import { webhookStore } from '../../shared/store/webhooks.ts';

const limits = Limits.parse(JSON.parse(environment('LIMITS').LIMITS));
const webhooks = webhookStore(table);
const subscriptions = subscriptionStore(table);
const autoSubscriptions = autoSubscriptionStore(table);

const notFound = (id: WebhookId) => new ServiceError('not_found', 'not_found', `There is no webhook ${id}.`);

async function owned(id: WebhookId, userId: UserId): Promise<Webhook> {
  const webhook = await webhooks.find(id);
  if (webhook?.ownerId !== userId) throw notFound(id);
  return webhook;
}

export const handler = serve('webhooks', {
  createWebhook: operation(at.createWebhook, async ({ input, caller }) => {
    const now = Date.now();
    const webhook: Webhook = {
      id: WebhookId.parse(newId('webhook', now, randomBytes)),
      ownerId: caller.userId,
      name: input.name ?? null,
      description: input.description ?? null,
      url: input.url,
      active: true,
      secret: webhookSecret(randomBytes(32)),
      createdAt: now,
      updatedAt: now,
    };
    await webhooks.create(webhook, limits.webhooks);
    return one({ ...showWebhook(webhook), secret: webhook.secret });
  }),

  listWebhooks: operation(at.listWebhooks, async ({ input, caller }) => {
    const ownerId = caller.userId;
    const { items, totalCount } = await webhooks.list(ownerId, input);
    return page(items, {
      totalCount,
      cursorOf: ({ id }) => encodeCursor({ list: 'webhooks', ownerId }, id),
      show: (webhook) => inList(showWebhook(webhook)),
    });
  }),

  getWebhook: operation(at.getWebhook, async ({ parameters, caller }) =>
    one(showWebhook(await owned(parameters.id, caller.userId))),
  ),

  updateWebhook: operation(at.updateWebhook, async ({ parameters: { id }, input, caller }) => {
    await owned(id, caller.userId);
    const { url, name, description, active } = input;
    const changed = await webhooks.change(id, { url, name, description, active }, Date.now());
    if (!changed) throw notFound(id);
    return one(showWebhook(changed));
  }),

  deleteWebhook: operation(at.deleteWebhook, async ({ parameters: { id }, caller }) => {
    const webhook = await owned(id, caller.userId);
    if (!(await webhooks.remove(webhook))) throw notFound(id);
    await autoSubscriptions.removeAllOf(caller.userId, id);
    await subscriptions.removeAllOf(id);
    return nothing;
  }),
} satisfies Record<keyof typeof at, Operation>);
