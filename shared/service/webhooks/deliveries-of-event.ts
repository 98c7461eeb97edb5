import { type Delivery, deliveryIdOf } from '../../domain/delivery/delivery.ts';
import type { EventId } from '../../domain/event/event-id.ts';
import type { UserId } from '../../domain/id.ts';
import { createLimiter } from '../../lib/limiter.ts';
import type { DeliveryStore } from '../../store/deliveries.ts';
import type { DeliveryLog } from '../../store/delivery-log.ts';
import type { WebhookStore } from '../../store/webhooks.ts';

/** The deliveries of one event to the webhooks of its owner, newest first. */
export type DeliveriesOfEvent = (
  ownerId: UserId,
  event: { emitId: string; eventId: EventId },
) => Promise<Delivery[]>;

interface DeliveriesOfEventOptions {
  webhooks: Pick<WebhookStore, 'ids'>;
  deliveries: Pick<DeliveryStore, 'findAll'>;
  successLog: Pick<DeliveryLog, 'find'>;
}

const MAX_DELIVERIES = 100;
const CONCURRENT_READS = 50;

/** Ids of deliveries are derived from event and webhook, so that each webhook is asked for one id. */
export function createDeliveriesOfEvent({
  webhooks,
  deliveries,
  successLog,
}: DeliveriesOfEventOptions): DeliveriesOfEvent {
  return async (ownerId, event) => {
    const ids = (await webhooks.ids(ownerId)).map((listenerId) => ({
      listenerId,
      id: deliveryIdOf(event, listenerId),
    }));
    const stored = await deliveries.findAll(ids);
    const hasItem = new Set(stored.map(({ id }) => id));
    const limited = createLimiter(CONCURRENT_READS);
    const logged = await Promise.all(
      ids
        .filter(({ id }) => !hasItem.has(id))
        .map(({ listenerId, id }) => limited(() => successLog.find(listenerId, id))),
    );
    return [...stored, ...logged.filter((delivery) => delivery !== undefined)]
      .sort((a, b) => lastAttemptAt(b) - lastAttemptAt(a) || (a.id < b.id ? 1 : -1))
      .slice(0, MAX_DELIVERIES);
  };
}

const lastAttemptAt = ({ lastAttempt }: Delivery): number => lastAttempt?.at ?? Infinity;
