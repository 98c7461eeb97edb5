import { ServiceError } from '../../shared/domain/errors.ts';
import { type DeliveryId, newId, type UserId, WebhookId } from '../../shared/domain/id.ts';
import { textFilter } from '../../shared/domain/text-filter.ts';
import { type Webhook, webhookSecret } from '../../shared/domain/webhook.ts';
import { HEALTHY } from '../../shared/domain/webhook-health.ts';
import { JsonText } from '../../shared/domain/json-text.ts';
import { nothing, one, page } from '../../shared/http/answer.ts';
import { serve } from '../../shared/http/serve.ts';
import { webhookServices } from '../../shared/lambda/services.ts';
import { type Operation, operation } from '../../shared/http/http.ts';
import { deliveries as deliveryRoutes } from '../../shared/http/routes/delivery-routes.ts';
import { webhooks as routes } from '../../shared/http/routes/webhook-routes.ts';
import { inList } from '../../shared/http/show.ts';
import {
  showAttempt,
  showDelivery,
  showRecovery,
  showTest,
  showWebhook,
} from '../../shared/http/show-webhook.ts';
import { endKeeping, scheduleKeeping } from '../../shared/service/webhooks/keep-log.ts';
import { sealedHeaders } from '../../shared/service/delivery/own-headers.ts';
import { sealedSecret } from '../../shared/service/delivery/signing-secrets.ts';
import { deliveryNotFound, requestRedelivery } from '../../shared/service/webhooks/request-redelivery.ts';
import { rotateSecret } from '../../shared/service/webhooks/rotate-secret.ts';
import { checkedSince, startRecovery } from '../../shared/service/webhooks/start-recovery.ts';
import { testWebhook } from '../../shared/service/webhooks/test-webhook.ts';
import { updateWebhook } from '../../shared/service/webhooks/update-webhook.ts';
import { webhookDetails } from '../../shared/service/webhooks/webhook-details.ts';
import { encodeCursor } from '../../shared/store/cursor.ts';

const services = webhookServices();
const { webhooks, vault, subscriptions, autoSubscriptions, limits, random, now } = services;

const textsOf = ({ id, name, url }: Webhook) => [id, name, url];

const notFound = (id: WebhookId) => new ServiceError('not_found', 'not_found', `There is no webhook ${id}.`);

async function owned(id: WebhookId, userId: UserId): Promise<Webhook> {
  const webhook = await webhooks.find(id);
  if (webhook?.ownerId !== userId) throw notFound(id);
  return webhook;
}

const shown = async (webhook: Webhook) => showWebhook(webhook, await webhookDetails(services, webhook));

export const handler = serve('webhooks', {
  createWebhook: operation(routes.createWebhook, async ({ input, caller }) => {
    const at = now();
    const holder = { id: WebhookId.parse(newId('webhook', at, random)), ownerId: caller.userId };
    const secret = webhookSecret(random(32));
    await webhooks.checkLimit(caller.userId, limits.webhooks);
    const headers = input.headers ?? [];
    const [sealed, sealedOwnHeaders] = await Promise.all([
      sealedSecret(vault, holder, secret),
      sealedHeaders(vault, holder, headers),
      scheduleKeeping(services, holder.id),
    ]);
    const webhook: Webhook = {
      ...holder,
      name: input.name ?? null,
      description: input.description ?? null,
      url: input.url,
      active: true,
      disabledReason: null,
      secret: sealed,
      headers: sealedOwnHeaders,
      rateLimit: input.rate_limit ?? null,
      health: HEALTHY,
      version: 0,
      createdAt: at,
      updatedAt: at,
    };
    await webhooks.create(webhook, limits.webhooks);
    return one({ ...showWebhook(webhook, { headers, logged: undefined, heldCount: 0 }), secret });
  }),

  listWebhooks: operation(routes.listWebhooks, async ({ input, caller }) => {
    const ownerId = caller.userId;
    const { items, totalCount } = await webhooks.list(ownerId, input, textFilter(input.q, textsOf));
    const details = await Promise.all(items.map((webhook) => webhookDetails(services, webhook)));
    const detailed = items.flatMap((webhook, index) => {
      const own = details[index];
      return own ? [{ webhook, own }] : [];
    });
    return page(detailed, {
      totalCount,
      cursorOf: ({ webhook: { id } }) => encodeCursor({ list: 'webhooks', ownerId }, id),
      show: ({ webhook, own }) => inList(showWebhook(webhook, own)),
    });
  }),

  getWebhook: operation(routes.getWebhook, async ({ parameters, caller }) =>
    one(await shown(await owned(parameters.id, caller.userId))),
  ),

  updateWebhook: operation(routes.updateWebhook, async ({ parameters: { id }, input, caller }) => {
    const changed = await updateWebhook(services, await owned(id, caller.userId), input);
    if (!changed) throw notFound(id);
    return one(await shown(changed));
  }),

  deleteWebhook: operation(routes.deleteWebhook, async ({ parameters: { id }, caller }) => {
    const webhook = await owned(id, caller.userId);
    if (!(await webhooks.remove(webhook))) throw notFound(id);
    await autoSubscriptions.removeAllOf(caller.userId, id);
    await subscriptions.removeAllOf(id);
    await endKeeping(services.schedules, id);
    return nothing;
  }),

  rotateWebhookSecret: operation(
    routes.rotateWebhookSecret,
    async ({ parameters: { id }, input, caller }) => {
      const rotated = await rotateSecret(services, await owned(id, caller.userId), input);
      if (!rotated) throw notFound(id);
      return one({ ...(await shown(rotated.webhook)), secret: rotated.secret });
    },
  ),

  testWebhook: operation(routes.testWebhook, async ({ parameters: { id }, caller, text }) => {
    const webhook = await owned(id, caller.userId);
    return one(showTest(await testWebhook(services, { webhook, body: text ?? '{"test":true}' })));
  }),

  listDeliveries: operation(deliveryRoutes.listDeliveries, async ({ parameters: { id }, input, caller }) => {
    const webhook = await owned(id, caller.userId);
    const { limit, after, before, status, outcome, since, until } = input;
    const { items, totalCount } = await services.deliveryList.page({
      webhookId: id,
      request: { limit, after, before },
      filter: {
        status,
        outcome,
        since,
        until,
        emitterId: input.emitter_id,
        stream: input.event_name,
        eventId: input.event_id,
      },
    });
    return page(items, {
      totalCount,
      cursorOf: (delivery) => encodeCursor({ list: 'deliveries', ownerId: id }, delivery.id),
      show: (delivery) => showDelivery(delivery, webhook),
    });
  }),

  getDelivery: operation(deliveryRoutes.getDelivery, async ({ parameters, input, caller }) => {
    const webhook = await owned(parameters.id, caller.userId);
    const delivery = await foundDelivery(webhook, parameters.delivery_id);
    const [attempts, event] = await Promise.all([
      services.deliveryList.attempts(delivery),
      input.expand ? services.eventOf(delivery) : undefined,
    ]);
    return one({
      ...showDelivery(delivery, webhook),
      attempt_log: attempts.map(showAttempt),
      ...(input.expand ? { event: event === undefined ? null : new JsonText(event.json) } : {}),
    });
  }),

  redeliver: operation(deliveryRoutes.redeliver, async ({ parameters: { id, delivery_id }, caller }) => {
    const webhook = await owned(id, caller.userId);
    return one(showDelivery(await requestRedelivery(services, { webhook, id: delivery_id }), webhook));
  }),

  startRecovery: operation(deliveryRoutes.startRecovery, async ({ parameters: { id }, input, caller }) => {
    const webhook = await owned(id, caller.userId);
    const since = checkedSince(input.since, now());
    return one(showRecovery(await startRecovery(services, { webhook, since })));
  }),

  getRecovery: operation(deliveryRoutes.getRecovery, async ({ parameters: { id }, caller }) => {
    await owned(id, caller.userId);
    const recovery = await services.recoveries.find(id);
    if (recovery) return one(showRecovery(recovery));
    throw new ServiceError(
      'not_found',
      'not_found',
      `There was no recovery of ${id} yet; POST to this path begins one.`,
    );
  }),
} satisfies Record<keyof typeof routes | keyof typeof deliveryRoutes, Operation>);

async function foundDelivery(webhook: Webhook, id: DeliveryId) {
  const delivery = await services.deliveryList.find(webhook.id, id);
  if (delivery) return delivery;
  throw deliveryNotFound(id);
}
