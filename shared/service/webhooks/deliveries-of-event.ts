import { type Delivery, deliveryIdOf } from '../../domain/delivery/delivery.ts';
import type { EventId } from '../../domain/event/event-id.ts';
import type { UserId } from '../../domain/id.ts';
import type { WebhookStore } from '../../store/subscriptions/webhooks.ts';
import { deliveriesById, type DeliveriesByIdContext } from './deliveries-by-id.ts';

/** The deliveries of one event to the webhooks of its owner, newest first. */
export type DeliveriesOfEvent = (ownerId: UserId, event: { emitId: string; eventId: EventId }) => Promise<Delivery[]>;

interface DeliveriesOfEventContext extends DeliveriesByIdContext {
  webhooks: Pick<WebhookStore, 'ids'>;
}

const MAX_DELIVERIES = 100;

/** Ids of deliveries are derived from event and webhook, so that each webhook is asked for one id. */
export function createDeliveriesOfEvent({ webhooks, ...context }: DeliveriesOfEventContext): DeliveriesOfEvent {
  return async (ownerId, event) => {
    const ids = (await webhooks.ids(ownerId)).map((listenerId) => ({
      listenerId,
      id: deliveryIdOf(event, listenerId),
    }));
    return (await deliveriesById(context, ids))
      .sort((a, b) => lastAttemptAt(b) - lastAttemptAt(a) || (a.id < b.id ? 1 : -1))
      .slice(0, MAX_DELIVERIES);
  };
}

const lastAttemptAt = ({ lastAttempt }: Delivery): number => lastAttempt?.at ?? Infinity;
