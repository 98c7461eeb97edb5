import type { RetryMessageOf } from '../../domain/run/message.ts';
import type { StoredDelivery } from '../../store/deliveries/delivery-item.ts';
import { idsAfter, WHOLE_RANGE } from '../../store/deliveries/delivery-order.ts';
import { WORKER_MS } from './drain.ts';
import type { RetryServices } from './retry.ts';

const CONCURRENT_REMOVALS = 25;
/** A process may have read the webhook before it was removed, and store a delivery after the first pass. */
const SECOND_PASS_SECONDS = 120;

/**
 * Removes the deliveries of a webhook that was removed. Their bytes no longer count from the start of a pass. A message
 * of its own goes on after the time of one invocation.
 */
export const createForget =
  ({ deliveries, webhooks, deliveryBytes, sendRetry, now }: RetryServices) =>
  async (message: RetryMessageOf<'forget'>): Promise<void> => {
    const { listenerId, ownerId, after, isSecond = false } = message;
    if (await webhooks.find(listenerId)) return;
    await deliveryBytes.forget(ownerId, listenerId);
    const end = now() + WORKER_MS;
    let removing: StoredDelivery[] = [];
    const flush = async (): Promise<void> => {
      await Promise.all(removing.map((delivery) => deliveries.forget(delivery)));
      removing = [];
    };
    const range = { ...WHOLE_RANGE, ...(after ? { from: idsAfter(after) } : {}), isUpwards: true };
    for await (const delivery of deliveries.read(listenerId, range)) {
      removing.push(delivery);
      if (removing.length === CONCURRENT_REMOVALS) await flush();
      if (now() <= end) continue;
      await flush();
      return sendRetry({ ...message, after: delivery.id }, 0);
    }
    await flush();
    if (!isSecond) await sendRetry({ kind: 'forget', listenerId, ownerId, isSecond: true }, SECOND_PASS_SECONDS);
  };
