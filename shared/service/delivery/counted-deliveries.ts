import type { DeliveryStore } from '../../store/deliveries.ts';
import type { AttemptCounts } from './attempt-counts.ts';

/** Counts the payloads that deliveries store for 30 days. A large one is an object of its event, which has counted it. */
export const countedDeliveries = (
  deliveries: DeliveryStore,
  counts: Pick<AttemptCounts, 'countPayload'>,
): DeliveryStore => ({
  ...deliveries,
  async create(delivery, contents) {
    const isCreated = await deliveries.create(delivery, contents);
    const { ownerId, payload } = contents;
    if (isCreated && ownerId !== undefined && payload && 'json' in payload)
      counts.countPayload(ownerId, Buffer.byteLength(payload.json));
    return isCreated;
  },
});
