import { awaitsAttempt } from '../../domain/delivery/delivery.ts';
import type { DeliveryId, WebhookId } from '../../domain/id.ts';
import { whileReadable } from '../../domain/unreadable.ts';
import type { StoredDelivery } from '../../store/deliveries/delivery-item.ts';
import { isOrphan } from '../../store/deliveries/delivery-lists.ts';
import type { DeliveryServices } from '../delivery/delivery-services.ts';

interface Reading {
  order: 'oldest' | 'newest';
  /** Entries that are read at once. */
  pageSize: number;
}

/**
 * The deliveries on the waiting list of a webhook. Old entries whose delivery is elsewhere by now are removed; those of
 * one that cannot be read stay.
 */
export async function* waitingDeliveries(
  {
    deliveries,
    waitingAndHeld,
    onUnreadable,
    now,
  }: Pick<DeliveryServices, 'deliveries' | 'waitingAndHeld' | 'onUnreadable' | 'now'>,
  webhookId: WebhookId,
  { order, pageSize }: Reading,
): AsyncGenerator<StoredDelivery> {
  const page = (last: DeliveryId | undefined) =>
    order === 'oldest'
      ? waitingAndHeld.oldest('waiting', webhookId, { limit: pageSize, after: last })
      : waitingAndHeld.newest('waiting', webhookId, { limit: pageSize, before: last });
  for (let last: DeliveryId | undefined; ;) {
    const entries = await page(last);
    const found = await Promise.all(
      entries.map((entry) =>
        whileReadable(entry.id, onUnreadable, async () => {
          const delivery = await deliveries.find(webhookId, entry.id);
          if (delivery?.list === 'waiting' && awaitsAttempt(delivery)) return delivery;
          if (isOrphan(entry, now())) await deliveries.leaveList('waiting', { ...entry, listenerId: webhookId });
          return undefined;
        }),
      ),
    );
    yield* found.filter((delivery) => delivery !== undefined);
    if (entries.length < pageSize) return;
    last = entries.at(-1)?.id;
  }
}
