import { everyFilter, tagFilter, textFilter } from '../../shared/lib/text-filter.ts';
import { healthNames, type Webhook } from '../../shared/domain/webhook/webhook.ts';
import { PORTAL_LINK_SECONDS, portalTokens } from '../../shared/domain/webhook/portal-token.ts';
import { nothing, one, page } from '../../shared/http/api-response.ts';
import { type Caller, createAuthenticator } from '../../shared/http/authentication.ts';
import { createPortalAuthenticator } from '../../shared/http/tokens/portal-authentication.ts';
import { serve } from '../../shared/http/serve.ts';
import { webhookServices } from '../../shared/lambda/wiring/webhook-wiring.ts';
import { type Operation, operation } from '../../shared/http/http.ts';
import { webhooks as routes } from '../../shared/http/routes/webhook-routes.ts';
import { checkPortalChange } from '../../shared/http/settings/portal-link.ts';
import { webhookSettingsOf } from '../../shared/http/settings/webhook-settings.ts';
import { inList } from '../../shared/http/show/show.ts';
import { portalView, showTest, showWebhook } from '../../shared/http/show/show-webhook.ts';
import { registerWebhook } from '../../shared/service/webhooks/register-webhook.ts';
import { notFound } from '../../shared/domain/errors.ts';
import { ownedWebhook } from '../../shared/service/webhooks/owned-webhook.ts';
import { removeWebhook } from '../../shared/service/webhooks/remove-webhook.ts';
import { rotateSecret, updateWebhook } from '../../shared/service/webhooks/update-webhook.ts';
import { testWebhook } from '../../shared/service/webhooks/test-webhook.ts';
import { webhookDetails } from '../../shared/service/webhooks/webhook-details.ts';
import { LONGEST_HELD_MS } from '../../shared/store/deliveries/delivery-item.ts';
import { encodeCursor } from '../../shared/store/table/cursor.ts';
import { deliveryOperations } from './deliveries.ts';

const services = webhookServices();

const textsOf = ({ id, name, url }: Webhook) => [id, name, url];
const tagsOf = ({ tags }: Webhook) => tags;

const shown = async (webhook: Webhook, { portal }: Partial<Caller> = {}) => {
  const whole = showWebhook(webhook, await webhookDetails(services, webhook));
  return portal === undefined ? whole : portalView(whole);
};

const webhookOperations = {
  createWebhook: operation(routes.createWebhook, async ({ input, caller: { userId } }) => {
    const { webhook, headers, secret } = await registerWebhook(services, userId, webhookSettingsOf(input));
    const { deliveryAddresses } = services;
    return one({ ...showWebhook(webhook, { headers, logged: undefined, heldCount: 0, deliveryAddresses }), secret });
  }),

  listWebhooks: operation(routes.listWebhooks, async ({ input, caller: { userId: ownerId } }) => {
    const { q, tag, health } = input;
    const times = { now: services.now(), heldMs: LONGEST_HELD_MS };
    const hasHealth =
      health && ((webhook: Webhook) => healthNames(webhook, times).some((name) => health.includes(name)));
    const filter = everyFilter(textFilter(q, textsOf), tagFilter(tag, tagsOf), hasHealth);
    const { items, totalCount } = await services.webhooks.list(ownerId, input, filter);
    const detailed = await Promise.all(
      items.map(async (webhook) => ({ webhook, own: await webhookDetails(services, webhook) })),
    );
    return page(detailed, {
      totalCount,
      cursorOf: ({ webhook: { id } }) => encodeCursor({ list: 'webhooks', ownerId }, id),
      show: ({ webhook, own }) => inList(showWebhook(webhook, own)),
    });
  }),

  createPortalLink: operation(routes.createPortalLink, async ({ input, caller: { userId, keyHash, session } }) => {
    const { id: webhookId } = await ownedWebhook(services, input.webhook_id, userId);
    // A link outlives no session.
    const until = Math.min(services.now() + PORTAL_LINK_SECONDS * 1_000, session?.endsAt ?? Infinity);
    const { name, color } = input;
    const token = portalTokens.sign({ userId, webhookId, until, name, color }, keyHash);
    return one({ url: `${services.publicApiUrl}/portal#${token}`, expires_at_ms: until });
  }),

  getWebhook: operation(routes.getWebhook, async ({ parameters: { id }, caller }) =>
    one(await shown(await ownedWebhook(services, id, caller.userId), caller)),
  ),

  updateWebhook: operation(routes.updateWebhook, async ({ parameters: { id }, input, caller }) => {
    const webhook = await ownedWebhook(services, id, caller.userId);
    const check = caller.portal === undefined ? undefined : (current: Webhook) => checkPortalChange(input, current);
    const changed = await updateWebhook(services, webhook, webhookSettingsOf(input), check);
    if (!changed) throw notFound(`webhook ${id}`);
    return one(await shown(changed, caller));
  }),

  deleteWebhook: operation(routes.deleteWebhook, async ({ parameters: { id }, caller: { userId }, logRemoved }) => {
    const webhook = await ownedWebhook(services, id, userId);
    logRemoved({ subscriptions: await services.subscriptions.countOf(id) });
    await removeWebhook(services, webhook);
    return nothing;
  }),

  rotateWebhookSecret: operation(routes.rotateWebhookSecret, async ({ parameters: { id }, input, caller }) => {
    const rotated = await rotateSecret(services, await ownedWebhook(services, id, caller.userId), input);
    if (!rotated) throw notFound(`webhook ${id}`);
    return one({ ...(await shown(rotated.webhook, caller)), secret: rotated.secret });
  }),

  testWebhook: operation(routes.testWebhook, async ({ parameters: { id }, caller: { userId }, text }) => {
    const webhook = await ownedWebhook(services, id, userId);
    return one(showTest(await testWebhook(services, { webhook, body: text ?? '{"test":true}' })));
  }),
} satisfies Record<keyof typeof routes, Operation>;

export const handler = serve('webhooks', { ...webhookOperations, ...deliveryOperations(services) }, (users) =>
  createPortalAuthenticator({ byKey: createAuthenticator(users), users, now: services.now }),
);
