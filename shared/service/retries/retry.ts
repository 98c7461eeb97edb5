import { awaitsAttempt } from '../../domain/delivery/delivery.ts';
import type { RetryMessageOf } from '../../domain/run/message.ts';
import { secondsUntil } from '../../domain/run/queue-delay.ts';
import { skipsFirstAttempt } from '../../domain/webhook/webhook.ts';
import { attemptDelivery } from '../delivery/attempt-delivery.ts';
import { parkDelivery } from '../delivery/park-delivery.ts';
import { readTarget } from '../delivery/read-target.ts';
import { type RateLimited, reserveRate, waitForRate } from '../delivery/rate-slot.ts';
import type { StoredDelivery } from '../../store/deliveries/delivery-item.ts';
import type { DeliveryServices } from '../delivery/delivery-services.ts';
import type { DrainLeases } from '../../store/deliveries/drain-leases.ts';
import type { OrderedList } from '../../store/deliveries/delivery-lists.ts';
import type { FanOutStore } from '../../store/events/fan-outs.ts';
import type { RecoveryStore } from '../../store/deliveries/recoveries.ts';
import type { DeliveryBytesStore } from '../../store/deliveries/delivery-bytes.ts';
import type { KeepLogOptions } from '../webhooks/keep-log.ts';

/** The services of the queue `retries`. */
export interface RetryServices extends DeliveryServices, KeepLogOptions {
  webhooks: DeliveryServices['webhooks'];
  deliveryBytes: Pick<DeliveryBytesStore, 'forget'>;
  leases: DrainLeases;
  recoveries: RecoveryStore;
  orderedList: OrderedList;
  fanOuts: Pick<FanOutStore, 'oldest'>;
}

/** A message whose delivery is claimed comes back after the claim: the process that claimed it may have died. */
export const BUSY_SECONDS = 45;
/** Clocks of two machines may differ: a message that comes earlier by less makes its attempt. */
const CLOCK_SECONDS = 1;
/** Longest wait of one attempt for its slot; later slots are left to the drain. */
const SLOT_HORIZON_MS = 1_000;

/**
 * Makes the next scheduled attempt of one delivery. A message with a lower number than the delivery's is void. A
 * message with a higher number makes the attempt, too: the attempt that sent it is being recorded, so that the delivery
 * is busy, or its process died. A message that comes before its time is sent again: the first one waits 15 minutes at
 * most, and `Retry-After` may be two hours.
 */
export const createRetry =
  (services: RetryServices) =>
  async (message: RetryMessageOf<'retry'>): Promise<void> => {
    const { deliveries } = services;
    const { deliveryId, listenerId, turn: messageNumber } = message;
    const delivery = await deliveries.find(listenerId, deliveryId);
    // The process of the attempt may have died before it dropped the payload.
    if (delivery?.status === 'delivered') return deliveries.dropPayload(delivery);
    if (!delivery || delivery.messageNumber > messageNumber || !awaitsAttempt(delivery)) return;
    if (isEarly(delivery, messageNumber, services.now())) return services.sendNext(delivery, delivery);
    const target = await readTarget(services, listenerId);
    if (!target) return deliveries.remove(delivery);
    if (!target.active) return void (await deliveries.move(delivery, 'held'));
    if (skipsFirstAttempt(target) || !(await waitForSlot(services, target)))
      return parkDelivery(services, { ...delivery, nextAt: undefined });
    const result = await attemptDelivery(services, { delivery, target, cause: 'schedule' });
    if (result === 'busy') await services.sendRetry(message, BUSY_SECONDS);
  };

/** True before the time of an attempt that follows a failed one. A delivery without an attempt is sent at any time. */
const isEarly = ({ attemptCount, messageNumber, nextAt = 0 }: StoredDelivery, received: number, now: number): boolean =>
  attemptCount > 0 && messageNumber === received && secondsUntil(nextAt, now) > CLOCK_SECONDS;

/** Waits until the rate limit of the target allows an attempt. False when that takes too long. */
export async function waitForSlot(
  services: Pick<DeliveryServices, 'slots' | 'now'>,
  target: RateLimited,
): Promise<boolean> {
  const horizonMs = SLOT_HORIZON_MS;
  const [slot] = await reserveRate(services, target, { count: 1, horizonMs });
  return slot !== undefined && waitForRate(services, target, { slot, horizonMs });
}
