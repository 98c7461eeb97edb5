import type { RetryMessageOf } from '../../domain/run/message.ts';
import { attemptDelivery } from '../delivery/attempt-delivery.ts';
import { readTarget } from '../delivery/read-target.ts';
import { NO_SLOT_SECONDS } from './drain.ts';
import { type RetryServices, waitForSlot } from './retry.ts';

/** Makes the attempt that a caller requested, also when the webhook is inactive or its breaker is open. */
export const createRedeliver =
  (services: RetryServices) =>
  async (message: RetryMessageOf<'redeliver'>): Promise<void> => {
    const { deliveryId, listenerId, request } = message;
    const delivery = await services.deliveries.find(listenerId, deliveryId);
    if (!delivery?.requested?.has(request)) return;
    const target = await readTarget(services, listenerId);
    if (!target) return;
    if (!(await waitForSlot(services, target))) return services.sendRetry(message, NO_SLOT_SECONDS);
    await attemptDelivery(services, { delivery, target, cause: 'redeliver', request });
  };
