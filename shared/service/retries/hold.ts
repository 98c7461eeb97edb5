import { awaitsAttempt } from '../../domain/delivery/delivery.ts';
import { heldNotice } from '../../domain/notice/webhook-notices.ts';
import type { RetryMessageOf } from '../../domain/run/message.ts';
import { isReceiving } from '../../domain/webhook/webhook.ts';
import { LONGEST_WAIT_MS, type StoredDelivery } from '../../store/deliveries/delivery-item.ts';
import { idsAfter, idsBetween } from '../../store/deliveries/delivery-order.ts';
import { WORKER_MS } from './drain.ts';
import type { RetryServices } from './retry.ts';

const CONCURRENT_MOVES = 25;

/**
 * Holds all waiting deliveries of a webhook that may get none. A message of its own goes on after the time of one
 * invocation.
 */
export const createHold =
  ({ deliveries, webhooks, limitHeld, notify, sendRetry, now }: RetryServices) =>
  async (message: RetryMessageOf<'hold'>): Promise<void> => {
    const { listenerId } = message;
    const webhook = await webhooks.find(listenerId);
    if (!webhook || isReceiving(webhook)) return;
    const end = now() + WORKER_MS;
    const { from, to } = idsBetween(now() - LONGEST_WAIT_MS, Infinity);
    let moving: StoredDelivery[] = [];
    const flush = async () => {
      await Promise.all(moving.map((delivery) => deliveries.move(delivery, 'held')));
      if (moving.length > 0) await notify(heldNotice(webhook, now()));
      moving = [];
    };
    const range = { from: message.after ? idsAfter(message.after) : from, to, isUpwards: true };
    for await (const delivery of deliveries.read(listenerId, range)) {
      if (awaitsAttempt(delivery)) moving.push(delivery);
      if (moving.length === CONCURRENT_MOVES) await flush();
      if (now() > end) {
        await flush();
        return sendRetry({ ...message, after: delivery.id }, 0);
      }
    }
    await flush();
    await limitHeld(listenerId);
  };
