import { isDue } from '../../domain/delivery/delivery.ts';
import type { DeliveryId, WebhookId } from '../../domain/id.ts';
import type { RetryMessageOf } from '../../domain/run/message.ts';
import { LONGEST_DELAY_SECONDS, secondsUntil } from '../../domain/run/queue-delay.ts';
import { webhookWork, type Webhook } from '../../domain/webhook/webhook.ts';
import type { StoredDelivery } from '../../store/deliveries/delivery-item.ts';
import { FOLLOW_SECONDS } from '../../store/deliveries/drain-leases.ts';
import { attemptDelivery } from '../delivery/attempt-delivery.ts';
import { targetOfWebhook } from '../delivery/http-target.ts';
import { startWork } from '../delivery/send-next.ts';
import { NO_SLOT_SECONDS } from './drain.ts';
import { BUSY_SECONDS, waitForSlot, type RetryServices } from './retry.ts';
import { entriesInOrder, inOrder, UNREADY_MS } from './send-in-order.ts';
import { waitingDeliveries } from './waiting-deliveries.ts';

/**
 * Sends one due delivery to a webhook with an open breaker. The health recorder decides whether its outcome closes the
 * breaker. Messages of the same probe make one attempt: each could choose another delivery.
 */
export const createProbe =
  (services: RetryServices) =>
  async (message: RetryMessageOf<'probe'>): Promise<void> => {
    const { leases, sendRetry, now } = services;
    const release = await leases.acquire(message.listenerId, now(), 'probe');
    // The process that has the lease may die, and this message may be a copy of its own, which deletes it.
    if (!release) return sendRetry(message, FOLLOW_SECONDS);
    try {
      await probe(services, message);
    } finally {
      await release();
    }
  };

async function probe(services: RetryServices, message: RetryMessageOf<'probe'>): Promise<void> {
  const { webhooks, sendRetry, now } = services;
  const { listenerId } = message;
  const webhook = await webhooks.find(listenerId);
  if (!webhook) return;
  const work = webhookWork(webhook);
  // The webhook is inactive, or a crash came between the closing of the breaker and its drain.
  if (work.kind !== 'probe') return startWork(services, webhook);
  const { breaker } = work;
  if (message.probe < breaker.probe) return;
  const { delivery, nextAt } = await probedDelivery(services, listenerId, breaker.lastProbed);
  if (!delivery) return endProbes(services, { webhook, message, nextAt });
  const target = targetOfWebhook(webhook, now());
  if (!(await waitForSlot(services, target))) return sendRetry(message, NO_SLOT_SECONDS);
  const result = await attemptDelivery(services, { delivery, target, cause: 'probe', probe: breaker.probe });
  if (result === 'busy') await sendRetry(message, BUSY_SECONDS);
  if (result === 'expired') await sendRetry(message, 0);
}

const PAGE = 25;

/**
 * The newest delivery without an attempt: a receiver that fails at some events may take this one. Otherwise the oldest
 * one that is due, but not the last probe's while another is due. `nextAt`: when one in the order of its emitter is
 * due, which has no message of its own.
 */
async function probedDelivery(
  services: RetryServices,
  webhookId: WebhookId,
  lastProbed: DeliveryId | undefined,
): Promise<{ delivery?: StoredDelivery | undefined; nextAt?: number | undefined }> {
  let [oldest, last]: (StoredDelivery | undefined)[] = [];
  let nextAt: number | undefined;
  for await (const delivery of probeCandidates(services, webhookId)) {
    if (delivery === 'unready') {
      nextAt = services.now() + UNREADY_MS;
      continue;
    }
    if (delivery.attemptCount === 0) return { delivery };
    const isOrdered = delivery.list === 'ordered';
    const due = isOrdered ? { ...delivery, nextAt: delivery.notBefore } : delivery;
    if (!isDue(due, services.now())) {
      if (isOrdered) nextAt = Math.min(nextAt ?? Infinity, due.nextAt ?? 0);
      continue;
    }
    if (delivery.id === lastProbed) last = delivery;
    else oldest = delivery;
  }
  return { delivery: oldest ?? last, nextAt };
}

/** The deliveries on the waiting list, newest first, and the oldest one of each emitter in order. */
async function* probeCandidates(
  services: RetryServices,
  webhookId: WebhookId,
): AsyncGenerator<StoredDelivery | 'unready'> {
  yield* waitingDeliveries(services, webhookId, { order: 'newest', pageSize: PAGE });
  for await (const { emitterId, id: seen } of services.orderedList.heads(webhookId)) {
    const { entries } = await entriesInOrder(services, { webhookId, emitterId, seen });
    if (entries.length === 0) yield 'unready';
    for (const entry of entries) {
      const delivery = await inOrder(services, webhookId, entry);
      if (delivery === 'left') continue;
      yield delivery;
      break;
    }
  }
}

/** Without a due delivery there is nothing to probe with. The next one that is parked begins the probes again. */
async function endProbes(
  services: RetryServices,
  { webhook, message, nextAt }: { webhook: Webhook; message: RetryMessageOf<'probe'>; nextAt: number | undefined },
): Promise<void> {
  const { webhooks, sendRetry, now } = services;
  const { health } = webhook;
  const { breaker } = health;
  if (!breaker) return;
  if (nextAt !== undefined) await sendRetry(message, Math.min(secondsUntil(nextAt, now()), LONGEST_DELAY_SECONDS));
  // Written also when it is idle: a process that has sent a message for it must not take it as waiting for that
  // message.
  const changed = await webhooks.change(webhook, {
    health: { ...health, breaker: { ...breaker, isIdle: true } },
  });
  if (!changed || (await probedDelivery(services, webhook.id, breaker.lastProbed)).delivery)
    await sendRetry(message, secondsUntil(Math.max(breaker.probeAt, now() + 1_000), now()));
}
