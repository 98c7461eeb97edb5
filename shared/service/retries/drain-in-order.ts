import { setTimeout as pause } from 'node:timers/promises';
import type { EmitterId, WebhookId } from '../../domain/id.ts';
import type { OrderedEntry } from '../../store/deliveries/delivery-lists.ts';
import { entriesInOrder, sendInOrder, UNREADY_MS } from './send-in-order.ts';
import { LARGEST_PACE } from './paced-attempts.ts';
import type { RetryServices } from './retry.ts';

/** While attempts are under way, new deliveries of other emitters are looked for so often. */
const LOOK_MS = 500;
/** Deliveries of one emitter that a worker sends before emitters that wait for it. */
const SHARE = 20;
/** First pause before an emitter is looked at again whose next delivery is not stored yet, or gets no slot. */
const PAUSE_MS = 100;
/** Pauses in a row, each longer by the first one; then a message goes on. */
const MAX_PAUSES = 8;

interface DrainOptions {
  webhookId: WebhookId;
  end: number;
  /** Takes the emitters whose oldest delivery cannot be sent now, with the time of the next look, epoch ms. */
  stopped: Map<EmitterId, number>;
}

/** Sends the deliveries of an ordered webhook: emitters side by side, those of one emitter one at a time. */
export async function drainInOrder(services: RetryServices, { webhookId, end, stopped }: DrainOptions): Promise<void> {
  const sending = new Map<EmitterId, Promise<void>>();
  const errors: unknown[] = [];
  const start = (head: OrderedEntry) => {
    const { emitterId } = head;
    const sent = sendEmitter(services, { webhookId, head, end })
      .then((at) => void (at === undefined ? stopped.delete(emitterId) : stopped.set(emitterId, at)))
      .catch((error: unknown) => void errors.push(error))
      .finally(() => sending.delete(emitterId));
    sending.set(emitterId, sent);
  };
  let after: EmitterId | undefined;
  while (errors.length === 0 && services.now() < end) {
    const isFromFirst = after === undefined;
    const isFull = () => sending.size >= LARGEST_PACE;
    for await (const head of services.orderedList.heads(webhookId, after)) {
      if (isFull()) break;
      after = head.emitterId;
      if (!sending.has(after) && (stopped.get(after) ?? 0) <= services.now()) start(head);
    }
    if (!isFull()) after = undefined;
    if (sending.size === 0) {
      if (isFromFirst) break;
      continue;
    }
    await Promise.race([...sending.values(), pause(LOOK_MS, undefined, { ref: false })]);
  }
  await Promise.all(sending.values());
  if (errors.length > 0) throw errors[0];
}

/**
 * Sends the oldest deliveries of one emitter, one at a time. Resolves with the time of the next look, epoch ms;
 * undefined when none is left.
 */
async function sendEmitter(
  services: RetryServices,
  { webhookId, head, end }: { webhookId: WebhookId; head: OrderedEntry; end: number },
): Promise<number | undefined> {
  const { now } = services;
  const { emitterId } = head;
  let seen = head.id;
  for (let pauses = 0, sent = 0; pauses < MAX_PAUSES; pauses += 1) {
    const { entries, last } = await entriesInOrder(services, { webhookId, emitterId, seen });
    if (last === undefined) return undefined;
    if (last > seen) pauses = 0;
    seen = last;
    for (const entry of entries) {
      if (now() >= end || sent === SHARE) return now();
      const result = await sendInOrder(services, webhookId, entry);
      if (typeof result === 'number') return result;
      if (result === 'unready') break;
      if (result === 'ended') [sent, pauses] = [sent + 1, 0];
    }
    if (pauses > 0) await pause(PAUSE_MS * pauses);
  }
  return now() + UNREADY_MS;
}

/** Whether another emitter than these has a delivery in order. */
export async function hasOtherHead(
  { orderedList }: Pick<RetryServices, 'orderedList'>,
  webhookId: WebhookId,
  stopped: ReadonlySet<EmitterId>,
): Promise<boolean> {
  for await (const { emitterId } of orderedList.heads(webhookId)) if (!stopped.has(emitterId)) return true;
  return false;
}
