import { textFilter } from '../../shared/lib/text-filter.ts';
import type { Webhook } from '../../shared/domain/webhook/webhook.ts';
import { nothing, one, page } from '../../shared/http/api-response.ts';
import { serve } from '../../shared/http/serve.ts';
import { webhookServices } from '../../shared/lambda/wiring/webhook-wiring.ts';
import { type Operation, operation } from '../../shared/http/http.ts';
import { webhooks as routes } from '../../shared/http/routes/webhook-routes.ts';
import { webhookSettingsOf } from '../../shared/http/settings/webhook-settings.ts';
import { inList } from '../../shared/http/show/show.ts';
import { showTest, showWebhook } from '../../shared/http/show/show-webhook.ts';
import { registerWebhook } from '../../shared/service/webhooks/register-webhook.ts';
import { ownedWebhook, webhookNotFound } from '../../shared/service/webhooks/owned-webhook.ts';
import { removeWebhook } from '../../shared/service/webhooks/remove-webhook.ts';
import { rotateSecret } from '../../shared/service/webhooks/rotate-secret.ts';
import { testWebhook } from '../../shared/service/webhooks/test-webhook.ts';
import { updateWebhook } from '../../shared/service/webhooks/update-webhook.ts';
import { webhookDetails } from '../../shared/service/webhooks/webhook-details.ts';
import { encodeCursor } from '../../shared/store/table/cursor.ts';
import { deliveryOperations } from './deliveries.ts';

const services = webhookServices();

const textsOf = ({ id, name, url }: Webhook) => [id, name, url];

const shown = async (webhook: Webhook) => showWebhook(webhook, await webhookDetails(services, webhook));

const webhookOperations = {
  createWebhook: operation(routes.createWebhook, async ({ input, caller: { userId } }) => {
    const { webhook, headers, secret } = await registerWebhook(services, userId, webhookSettingsOf(input));
    const { deliveryAddresses } = services;
    return one({ ...showWebhook(webhook, { headers, logged: undefined, heldCount: 0, deliveryAddresses }), secret });
  }),

  listWebhooks: operation(routes.listWebhooks, async ({ input, caller: { userId: ownerId } }) => {
    const { items, totalCount } = await services.webhooks.list(ownerId, input, textFilter(input.q, textsOf));
    const detailed = await Promise.all(
      items.map(async (webhook) => ({ webhook, own: await webhookDetails(services, webhook) })),
    );
    return page(detailed, {
      totalCount,
      cursorOf: ({ webhook: { id } }) => encodeCursor({ list: 'webhooks', ownerId }, id),
      show: ({ webhook, own }) => inList(showWebhook(webhook, own)),
    });
  }),

  getWebhook: operation(routes.getWebhook, async ({ parameters: { id }, caller: { userId } }) =>
    one(await shown(await ownedWebhook(services, id, userId))),
  ),

  updateWebhook: operation(routes.updateWebhook, async ({ parameters: { id }, input, caller: { userId } }) => {
    const webhook = await ownedWebhook(services, id, userId);
    const changed = await updateWebhook(services, webhook, webhookSettingsOf(input));
    if (!changed) throw webhookNotFound(id);
    return one(await shown(changed));
  }),

  deleteWebhook: operation(routes.deleteWebhook, async ({ parameters: { id }, caller: { userId } }) => {
    await removeWebhook(services, await ownedWebhook(services, id, userId));
    return nothing;
  }),

  rotateWebhookSecret: operation(
    routes.rotateWebhookSecret,
    async ({ parameters: { id }, input, caller: { userId } }) => {
      const rotated = await rotateSecret(services, await ownedWebhook(services, id, userId), input);
      if (!rotated) throw webhookNotFound(id);
      return one({ ...(await shown(rotated.webhook)), secret: rotated.secret });
    },
  ),

  testWebhook: operation(routes.testWebhook, async ({ parameters: { id }, caller: { userId }, text }) => {
    const webhook = await ownedWebhook(services, id, userId);
    return one(showTest(await testWebhook(services, { webhook, body: text ?? '{"test":true}' })));
  }),
} satisfies Record<keyof typeof routes, Operation>;

export const handler = serve('webhooks', { ...webhookOperations, ...deliveryOperations(services) });
