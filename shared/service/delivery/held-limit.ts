import type { DeliveryId, ListenerId } from '../../domain/id.ts';
import { type OnUnreadable, whileReadable } from '../../domain/unreadable.ts';
import type { DeliveryStore } from '../../store/deliveries/deliveries.ts';
import { LONGEST_HELD_MS } from '../../store/deliveries/delivery-item.ts';
import { type WaitingAndHeldDeliveries, isOrphan } from '../../store/deliveries/delivery-lists.ts';

/** Discards the oldest held deliveries of a listener beyond the limit. */
export type LimitHeld = (listenerId: ListenerId, added?: number) => Promise<void>;

interface HeldLimitOptions {
  deliveries: Pick<DeliveryStore, 'find' | 'end' | 'leaveList'>;
  waitingAndHeld: Pick<WaitingAndHeldDeliveries, 'oldest' | 'heldCount'>;
  onUnreadable: OnUnreadable;
  now(): number;
}

export const MAX_HELD = 10_000;
/** Deliveries discarded at once. */
const BATCH = 100;
/** Counting costs up to 165 read units, so that a count is used for this long unless it is near the limit. */
const COUNT_MS = 60_000;
const MAX_COUNTS = 1_000;

export function createHeldLimit({ deliveries, waitingAndHeld, onUnreadable, now }: HeldLimitOptions): LimitHeld {
  const counts = new Map<ListenerId, { count: number; at: number }>();

  return async (listenerId, added = 0) => {
    const known = counts.get(listenerId);
    if (known && now() - known.at < COUNT_MS && known.count + 2 * added < MAX_HELD / 2) {
      known.count += added;
      return;
    }
    const count = await waitingAndHeld.heldCount(listenerId, now());
    if (counts.size >= MAX_COUNTS) counts.clear();
    counts.set(listenerId, { count, at: now() });
    let after: DeliveryId | undefined;
    for (let left = count - MAX_HELD; left > 0; left -= BATCH) {
      const since = now() - LONGEST_HELD_MS;
      const entries = await waitingAndHeld.oldest('held', listenerId, {
        limit: Math.min(left, BATCH),
        since,
        after,
      });
      after = entries.at(-1)?.id ?? after;
      await Promise.all(
        entries.map((entry) =>
          whileReadable(entry.id, onUnreadable, async () => {
            const delivery = await deliveries.find(listenerId, entry.id);
            if (delivery?.list === 'held') await deliveries.end(delivery, 'discarded');
            else if (isOrphan(entry, now())) await deliveries.leaveList('held', { ...entry, listenerId });
          }),
        ),
      );
    }
  };
}
