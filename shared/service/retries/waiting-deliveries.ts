import { awaitsAttempt } from '../../domain/delivery/delivery.ts';
import type { DeliveryId, WebhookId } from '../../domain/id.ts';
import { whileReadable } from '../../domain/unreadable.ts';
import type { StoredDelivery } from '../../store/delivery-item.ts';
import { isOrphan } from '../../store/delivery-lists.ts';
import type { DeliveryServices } from '../delivery/delivery-services.ts';

/** Entries whose deliveries are being written or are elsewhere: so many are read at once beside those that are asked for. */
const MAX_UNREADY = 20;

/** The oldest deliveries on the list of those that are due. Old entries whose delivery is elsewhere by now are removed; those of one that cannot be read stay. */
export async function waitingDeliveries(
  {
    deliveries,
    lists,
    onUnreadable,
    now,
  }: Pick<DeliveryServices, 'deliveries' | 'lists' | 'onUnreadable' | 'now'>,
  webhookId: WebhookId,
  limit: number,
): Promise<StoredDelivery[]> {
  const pageSize = limit + MAX_UNREADY;
  for (let after: DeliveryId | undefined; ;) {
    const entries = await lists.oldest('waiting', webhookId, { limit: pageSize, after });
    const found = await Promise.all(
      entries.map((entry) =>
        whileReadable(entry.id, onUnreadable, async () => {
          const delivery = await deliveries.find(webhookId, entry.id);
          if (delivery?.list === 'waiting' && awaitsAttempt(delivery)) return delivery;
          if (isOrphan(entry, now())) await deliveries.leaveList('waiting', webhookId, entry);
          return undefined;
        }),
      ),
    );
    const waiting = found.filter((delivery) => delivery !== undefined);
    if (waiting.length > 0 || entries.length < pageSize) return waiting.slice(0, limit);
    after = entries.at(-1)?.id;
  }
}
