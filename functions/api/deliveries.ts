import type { Delivery } from '../../shared/domain/delivery/delivery.ts';
import type { ReadRequest } from '../../shared/service/admission/body-reads.ts';
import { JsonText } from '../../shared/lib/json-text.ts';
import { one, page } from '../../shared/http/api-response.ts';
import type { webhookServices } from '../../shared/lambda/wiring/webhook-wiring.ts';
import { type Operation, operation } from '../../shared/http/http.ts';
import { deliveries as routes } from '../../shared/http/routes/delivery-routes.ts';
import { showAttempt, showDelivery, showRecovery } from '../../shared/http/show/show-webhook.ts';
import { findDelivery } from '../../shared/service/webhooks/find-delivery.ts';
import { ownedWebhook } from '../../shared/service/webhooks/owned-webhook.ts';
import { deliveryOf, requestRedelivery } from '../../shared/service/webhooks/request-redelivery.ts';
import { checkedSince, lastRecovery, startRecovery } from '../../shared/service/webhooks/start-recovery.ts';
import { encodeCursor } from '../../shared/store/table/cursor.ts';

/** The operations on deliveries of a webhook, which are served with those on webhooks. */
export const deliveryOperations = (services: ReturnType<typeof webhookServices>) => {
  const shownEvent = (request: ReadRequest, delivery: Delivery) =>
    services.reads.run('page', request, async (read) => {
      const event = await services.eventOf(delivery);
      await read.spend(event?.json.length ?? 0);
      return event;
    });
  return {
    listDeliveries: operation(routes.listDeliveries, async ({ parameters: { id }, input, caller }) => {
      const webhook = await ownedWebhook(services, id, caller.userId);
      const { order, limit, after, before, status, outcome, since, until } = input;
      const { items, totalCount } = await services.allDeliveries.page({
        webhookId: id,
        request: { limit, after, before },
        isOldestFirst: order === 'oldest',
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

    findDelivery: operation(routes.findDelivery, async ({ parameters, caller }) => {
      const { delivery, webhook } = await findDelivery(services, caller.userId, parameters.delivery_id);
      return one(showDelivery(delivery, webhook));
    }),

    getDelivery: operation(routes.getDelivery, async ({ parameters, input, caller: { userId }, client }) => {
      const webhook = await ownedWebhook(services, parameters.id, userId);
      const delivery = await deliveryOf(services, webhook.id, parameters.delivery_id);
      const [attempts, event] = await Promise.all([
        services.allDeliveries.attempts(delivery),
        input.expand ? shownEvent({ userId, lane: webhook.id, client }, delivery) : undefined,
      ]);
      return one({
        ...showDelivery(delivery, webhook),
        attempt_log: attempts.map(showAttempt),
        ...(input.expand ? { event: event === undefined ? null : new JsonText(event.json) } : {}),
      });
    }),

    redeliver: operation(routes.redeliver, async ({ parameters: { id, delivery_id }, caller }) => {
      const webhook = await ownedWebhook(services, id, caller.userId);
      return one(showDelivery(await requestRedelivery(services, { webhook, id: delivery_id }), webhook));
    }),

    startRecovery: operation(routes.startRecovery, async ({ parameters: { id }, input, caller }) => {
      const webhook = await ownedWebhook(services, id, caller.userId);
      const since = checkedSince(input.since, services.now());
      return one(showRecovery(await startRecovery(services, { webhook, since })));
    }),

    getRecovery: operation(routes.getRecovery, async ({ parameters: { id }, caller }) => {
      await ownedWebhook(services, id, caller.userId);
      return one(showRecovery(await lastRecovery(services, id)));
    }),
  } satisfies Record<keyof typeof routes, Operation>;
};
