import { awaitsAttempt, createdAtOf, idPrefixOf } from '../../domain/delivery/delivery.ts';
import type { DeliveryId, EmitterId, WebhookId } from '../../domain/id.ts';
import { whileReadable } from '../../domain/unreadable.ts';
import { webhookWork } from '../../domain/webhook/webhook.ts';
import { LONGEST_HELD_MS, type StoredDelivery } from '../../store/deliveries/delivery-item.ts';
import { type OrderedEntry, isOrphan } from '../../store/deliveries/delivery-lists.ts';
import { attemptDelivery } from '../delivery/attempt-delivery.ts';
import { targetOfWebhook } from '../delivery/http-target.ts';
import { BUSY_SECONDS, waitForSlot, type RetryServices } from './retry.ts';

/** Entries of one emitter that are read at once. */
const PAGE = 20;

/** A delivery that is not stored yet, because a process died, is looked for again after this. */
export const UNREADY_MS = 10_000;

interface Lane {
  webhookId: WebhookId;
  emitterId: EmitterId;
  /** The newest entry that an earlier read had. */
  seen: DeliveryId;
}

/**
 * The oldest entries of an emitter that no earlier event can precede, and the newest entry that was read. An event is
 * marked before a later one is stored, and its mark goes after its own delivery is stored. So the order of reads is:
 * an entry, the oldest mark, the list again. Nothing is missing before an entry that the first read had, and that is
 * before the mark.
 */
export async function entriesInOrder(
  { fanOuts, orderedList }: Pick<RetryServices, 'fanOuts' | 'orderedList'>,
  { webhookId, emitterId, seen }: Lane,
): Promise<{ entries: OrderedEntry[]; last: DeliveryId | undefined }> {
  const marked = await fanOuts.oldest(emitterId);
  const all = await orderedList.ofEmitter(webhookId, emitterId, PAGE);
  const isFree = marked === undefined ? () => true : (id: DeliveryId) => id < idPrefixOf(marked);
  return { entries: all.filter(({ id }) => id <= seen && isFree(id)), last: all.at(-1)?.id };
}

/**
 * Makes the next attempt of the oldest delivery of an emitter. `ended`: the next one may be sent. `left`: it is not in
 * this order any more. `unready`: it is being stored, or gets no slot. A number: the time of the next look, epoch ms.
 */
export async function sendInOrder(
  services: RetryServices,
  webhookId: WebhookId,
  entry: OrderedEntry,
): Promise<'ended' | 'left' | 'unready' | number> {
  const { deliveries, webhooks, now } = services;
  const delivery = await inOrder(services, webhookId, entry);
  if (typeof delivery === 'string') return delivery;
  const { nextAt = 0 } = delivery;
  if (nextAt > now()) return nextAt;
  if (createdAtOf(delivery) < now() - LONGEST_HELD_MS) {
    await deliveries.end(delivery, 'discarded');
    return 'ended';
  }
  const webhook = await webhooks.find(webhookId);
  // A probe that succeeds, and the end of a recovery's first part, begin the drain again.
  if (!webhook || webhookWork(webhook).kind !== 'drain' || (await isRecovering(services, webhookId))) return Infinity;
  const target = targetOfWebhook(webhook, now());
  if (!(await waitForSlot(services, target))) return 'unready';
  const result = await attemptDelivery(services, { delivery, target, cause: 'schedule' });
  if (result === 'busy') return now() + BUSY_SECONDS * 1_000;
  if (result === 'delivered' || result === 'expired') return 'ended';
  const after = await deliveries.find(webhookId, entry.id);
  return after?.list === 'ordered' ? (after.nextAt ?? now()) : 'ended';
}

/** The delivery of an entry. An old entry whose delivery is elsewhere is removed. */
export async function inOrder(
  { deliveries, onUnreadable, now }: RetryServices,
  webhookId: WebhookId,
  entry: OrderedEntry,
): Promise<StoredDelivery | 'left' | 'unready'> {
  const read = await whileReadable(entry.id, onUnreadable, async () => ({
    found: await deliveries.find(webhookId, entry.id),
  }));
  // The entry of a delivery that cannot be read stays.
  if (!read) return 'left';
  const { found } = read;
  if (found?.list === 'ordered' && awaitsAttempt(found)) return found;
  if (!isOrphan(entry, now())) return found ? 'left' : 'unready';
  await deliveries.leaveList('ordered', { ...entry, listenerId: webhookId });
  return 'left';
}

/** Whether a recovery is putting earlier deliveries back, which go first. */
async function isRecovering({ recoveries }: RetryServices, webhookId: WebhookId): Promise<boolean> {
  const recovery = await recoveries.find(webhookId);
  return recovery?.status === 'running' && recovery.isQueued === false;
}
