import type { Delivery } from '../../domain/delivery/delivery.ts';
import type { DeliveryId, WebhookId } from '../../domain/id.ts';
import { createLimiter } from '../../lib/limiter.ts';
import type { DeliveryStore } from '../../store/deliveries/deliveries.ts';
import type { DeliveryLog } from '../../store/deliveries/delivery-log.ts';

export interface DeliveriesByIdContext {
  deliveries: Pick<DeliveryStore, 'findAll'>;
  successLog: Pick<DeliveryLog, 'find'>;
}

const CONCURRENT_READS = 50;

/**
 * Those of the deliveries that exist: the ones with an item of their own, then those of the success logs, which take a
 * read each.
 */
export async function deliveriesById(
  { deliveries, successLog }: DeliveriesByIdContext,
  wanted: readonly { listenerId: WebhookId; id: DeliveryId }[],
): Promise<Delivery[]> {
  const stored = await deliveries.findAll(wanted);
  const hasItem = new Set(stored.map(({ listenerId, id }) => `${listenerId} ${id}`));
  const limited = createLimiter(CONCURRENT_READS);
  const logged = await Promise.all(
    wanted
      .filter(({ listenerId, id }) => !hasItem.has(`${listenerId} ${id}`))
      .map(({ listenerId, id }) => limited(() => successLog.find(listenerId, id))),
  );
  return [...stored, ...logged.filter((delivery) => delivery !== undefined)];
}
