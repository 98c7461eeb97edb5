import type { DeliveryMessage } from '../../domain/message.ts';
import type { StoredDelivery } from '../../store/delivery-item.ts';
import type { HttpTarget } from '../delivery/http-target.ts';
import { newDelivery, type StoredFirst, type StoredFirstOptions } from './stored-first.ts';

/** After this time a first attempt under way is listed as a pending delivery. */
export const SLOW_MS = 1_500;
/** Delay of the message that repeats a first attempt if its process dies. Longer than the attempt, so that it is void otherwise. */
const ABANDONED_MS = 60_000;

export type StoreSlow = (message: DeliveryMessage, target: HttpTarget) => Promise<StoredDelivery | undefined>;

/**
 * Stores the delivery of a slow first attempt as pending. Resolves with undefined when an earlier fan-out stored the delivery and it has
 * ended.
 */
export const createStoreSlow =
  (
    { deliveries, sendNext, now }: Pick<StoredFirstOptions, 'deliveries' | 'sendNext' | 'now'>,
    { resume }: Pick<StoredFirst, 'resume'>,
  ): StoreSlow =>
  async (message, target) => {
    const delivery = newDelivery(message, target, { nextAt: now() + ABANDONED_MS });
    if (!(await deliveries.create(delivery, message))) return resume(message, target);
    // The message repeats the attempt if this process dies. Otherwise the attempt is recorded first, and the message is void.
    await sendNext(delivery, delivery);
    return delivery;
  };
