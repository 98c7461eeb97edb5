import { isWebhookId } from '../../domain/id.ts';
import type { Limiter } from '../../lib/limiter.ts';
import { heldNotice } from '../../domain/notice/webhook-notices.ts';
import type { DeliveryMessage } from '../../domain/run/message.ts';
import { settleAll } from '../../lib/settle-all.ts';
import type { StoredDelivery } from '../../store/deliveries/delivery-item.ts';
import type { HttpTarget } from '../delivery/http-target.ts';
import { ensureSender, parkDelivery } from '../delivery/park-delivery.ts';
import type { DeliveryServices } from '../delivery/delivery-services.ts';
import { newDelivery, type ReadMessage, type StoredFirst } from './stored-first.ts';

/**
 * Delay of the message that repeats a first attempt if its process dies. Longer than the attempt, so that it is void
 * otherwise.
 */
const ABANDONED_MS = 60_000;

export type Deferral = ReturnType<typeof createDeferral>;

/** Stores deliveries for a later attempt. `storing` limits the deliveries that are stored at the same time. */
export function createDeferral(services: DeliveryServices, stored: StoredFirst, storing: Limiter) {
  const { deliveries, limitHeld, notify, sendNext, now } = services;

  const storeEach = async (
    read: readonly ReadMessage[],
    store: (message: DeliveryMessage) => Promise<void>,
  ): Promise<void> => {
    await settleAll(read.map(({ message }) => storing(() => store(message))));
  };

  async function leaveToRetries(read: readonly ReadMessage[], target: HttpTarget): Promise<void> {
    await storeEach(read, async (message) => {
      const delivery = newDelivery(message, target, { nextAt: now() });
      if (await deliveries.create(delivery, message)) await sendNext(delivery, delivery);
      else await stored.resume(message, target);
    });
  }

  return {
    leaveToRetries,

    async hold(read: readonly ReadMessage[], target: HttpTarget): Promise<void> {
      await storeEach(read, (message) => stored.createOrResume(message, target, { status: 'held', list: 'held' }));
      await limitHeld(target.listenerId, read.length);
      await notify(heldNotice({ ...target, id: target.listenerId }, now()));
    },

    /** Puts deliveries on the list of their webhook. A workflow has none: the retries get its deliveries. */
    async park(read: readonly ReadMessage[], target: HttpTarget): Promise<void> {
      if (!isWebhookId(target.listenerId)) return leaveToRetries(read, target);
      const list = target.ordered ? 'ordered' : 'waiting';
      await storeEach(read, (message) => stored.createOrResume(message, target, { list }));
      await ensureSender(services, target.listenerId);
    },

    /**
     * Stores the delivery of a slow first attempt as pending. Resolves with undefined when an earlier fan-out stored
     * the delivery and it has ended.
     */
    storeSlow: (message: DeliveryMessage, target: HttpTarget): Promise<StoredDelivery | undefined> =>
      storing(async () => {
        const delivery = newDelivery(message, target, { nextAt: now() + ABANDONED_MS });
        if (!(await deliveries.create(delivery, message))) return stored.resume(message, target);
        // The message repeats the attempt if this process dies. Otherwise the attempt is recorded first, and the
        // message is void.
        await sendNext(delivery, delivery);
        return delivery;
      }),

    /** Leaves a stored delivery to the drain of its webhook, or to the retries: a workflow has no drain. */
    leave: (delivery: StoredDelivery): Promise<void> =>
      storing(() =>
        isWebhookId(delivery.listenerId)
          ? parkDelivery(services, delivery)
          : sendNext(delivery, { messageNumber: delivery.messageNumber, nextAt: now() }),
      ),
  };
}
