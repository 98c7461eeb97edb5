import { ServiceError } from '../../shared/domain/errors.ts';
import { newId, type UserId, WebhookId } from '../../shared/domain/id.ts';
import { textFilter } from '../../shared/domain/text-filter.ts';
import { type Webhook, webhookSecret } from '../../shared/domain/webhook.ts';
import { nothing, one, page } from '../../shared/http/answer.ts';
import { serve } from '../../shared/http/serve.ts';
import { webhookServices } from '../../shared/lambda/services.ts';
import { type Operation, operation } from '../../shared/http/http.ts';
import { sealedSecret } from '../../shared/service/delivery/signing-secrets.ts';
import { webhooks as routes } from '../../shared/http/routes/webhook-routes.ts';
import { inList, showWebhook } from '../../shared/http/show.ts';
import { encodeCursor } from '../../shared/store/cursor.ts';

const { webhooks, vault, subscriptions, autoSubscriptions, limits, random, now } = webhookServices();

const textsOf = ({ id, name, url }: Webhook) => [id, name, url];

const notFound = (id: WebhookId) => new ServiceError('not_found', 'not_found', `There is no webhook ${id}.`);

async function owned(id: WebhookId, userId: UserId): Promise<Webhook> {
  const webhook = await webhooks.find(id);
  if (webhook?.ownerId !== userId) throw notFound(id);
  return webhook;
}

export const handler = serve('webhooks', {
  createWebhook: operation(routes.createWebhook, async ({ input, caller }) => {
    const at = now();
    const holder = { id: WebhookId.parse(newId('webhook', at, random)), ownerId: caller.userId };
    const secret = webhookSecret(random(32));
    const webhook: Webhook = {
      ...holder,
      name: input.name ?? null,
      description: input.description ?? null,
      url: input.url,
      active: true,
      secret: await sealedSecret(vault, holder, secret),
      createdAt: at,
      updatedAt: at,
    };
    await webhooks.create(webhook, limits.webhooks);
    return one({ ...showWebhook(webhook), secret });
  }),

  listWebhooks: operation(routes.listWebhooks, async ({ input, caller }) => {
    const ownerId = caller.userId;
    const { items, totalCount } = await webhooks.list(ownerId, input, textFilter(input.q, textsOf));
    return page(items, {
      totalCount,
      cursorOf: ({ id }) => encodeCursor({ list: 'webhooks', ownerId }, id),
      show: (webhook) => inList(showWebhook(webhook)),
    });
  }),

  getWebhook: operation(routes.getWebhook, async ({ parameters, caller }) =>
    one(showWebhook(await owned(parameters.id, caller.userId))),
  ),

  updateWebhook: operation(routes.updateWebhook, async ({ parameters: { id }, input, caller }) => {
    const { ownerId, secret: stored } = await owned(id, caller.userId);
    const { url, name, description, active } = input;
    // A secret that an earlier release stored as plain text.
    const secret =
      typeof stored === 'string' ? await sealedSecret(vault, { id, ownerId }, stored) : undefined;
    const changed = await webhooks.change(id, { url, name, description, active, secret }, now());
    if (!changed) throw notFound(id);
    return one(showWebhook(changed));
  }),

  deleteWebhook: operation(routes.deleteWebhook, async ({ parameters: { id }, caller }) => {
    const webhook = await owned(id, caller.userId);
    if (!(await webhooks.remove(webhook))) throw notFound(id);
    await autoSubscriptions.removeAllOf(caller.userId, id);
    await subscriptions.removeAllOf(id);
    return nothing;
  }),
} satisfies Record<keyof typeof routes, Operation>);
