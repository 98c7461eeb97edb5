import type { RetryMessageOf } from '../../domain/message.ts';
import { attemptDelivery, type DeliveryAttemptOptions } from '../delivery/attempt-delivery.ts';
import { NO_SLOT_SECONDS } from './drain.ts';
import { readTarget, type ReadTargetOptions } from '../delivery/read-target.ts';
import type { RateSlotOptions } from '../delivery/rate-slot.ts';
import { waitForSlot } from './retry.ts';

export type RedeliverOptions = DeliveryAttemptOptions & RateSlotOptions & ReadTargetOptions;

/** Makes the attempt that a caller requested, also when the webhook is inactive or its breaker is open. */
export const createRedeliver =
  (options: RedeliverOptions) =>
  async (message: RetryMessageOf<'redeliver'>): Promise<void> => {
    const { deliveryId, listenerId, request } = message;
    const delivery = await options.deliveries.find(listenerId, deliveryId);
    if (!delivery?.requested?.has(request)) return;
    const target = await readTarget(options, listenerId);
    if (!target) return;
    if (!(await waitForSlot(options, target))) return options.sendRetry(message, NO_SLOT_SECONDS);
    await attemptDelivery(options, { delivery, target, cause: 'redeliver', request });
  };
