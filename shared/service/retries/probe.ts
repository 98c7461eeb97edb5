import { isDue } from '../../domain/delivery/delivery.ts';
import type { DeliveryId, WebhookId } from '../../domain/id.ts';
import type { RetryMessageOf } from '../../domain/run/message.ts';
import { secondsUntil } from '../../domain/run/queue-delay.ts';
import { webhookWork } from '../../domain/webhook/webhook-work.ts';
import type { Webhook } from '../../domain/webhook/webhook.ts';
import type { StoredDelivery } from '../../store/deliveries/delivery-item.ts';
import { FOLLOW_SECONDS } from '../../store/deliveries/drain-leases.ts';
import { attemptDelivery } from '../delivery/attempt-delivery.ts';
import { targetOfWebhook } from '../delivery/http-target.ts';
import { startWork } from '../delivery/send-next.ts';
import { NO_SLOT_SECONDS } from './drain.ts';
import { BUSY_SECONDS, waitForSlot } from './retry.ts';
import { waitingDeliveries } from './waiting-deliveries.ts';
import type { RetryServices } from './retry-services.ts';

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
  const delivery = await probedDelivery(services, listenerId, breaker.lastProbed);
  if (!delivery) return endProbes(services, webhook, message);
  const target = targetOfWebhook(webhook, now());
  if (!(await waitForSlot(services, target))) return sendRetry(message, NO_SLOT_SECONDS);
  const result = await attemptDelivery(services, { delivery, target, cause: 'probe', probe: breaker.probe });
  if (result === 'busy') await sendRetry(message, BUSY_SECONDS);
  if (result === 'expired') await sendRetry(message, 0);
}

const PAGE = 25;

/**
 * The newest delivery without an attempt: a receiver that fails at some events may take this one. Otherwise the oldest
 * one that is due, but not the last probe's while another is due.
 */
async function probedDelivery(
  services: RetryServices,
  webhookId: WebhookId,
  lastProbed: DeliveryId | undefined,
): Promise<StoredDelivery | undefined> {
  let [oldest, last]: (StoredDelivery | undefined)[] = [];
  for await (const delivery of waitingDeliveries(services, webhookId, { order: 'newest', pageSize: PAGE })) {
    if (delivery.attemptCount === 0) return delivery;
    if (!isDue(delivery, services.now())) continue;
    if (delivery.id === lastProbed) last = delivery;
    else oldest = delivery;
  }
  return oldest ?? last;
}

/** Without a due delivery there is nothing to probe with. The next one that is parked begins the probes again. */
async function endProbes(services: RetryServices, webhook: Webhook, message: RetryMessageOf<'probe'>): Promise<void> {
  const { webhooks, sendRetry, now } = services;
  const { health } = webhook;
  const { breaker } = health;
  if (!breaker) return;
  // Written also when it is idle: a process that has sent a message for it must not take it as waiting for that
  // message.
  const changed = await webhooks.change(webhook, {
    health: { ...health, breaker: { ...breaker, isIdle: true } },
  });
  if (!changed || (await probedDelivery(services, webhook.id, breaker.lastProbed)))
    await sendRetry(message, secondsUntil(Math.max(breaker.probeAt, now() + 1_000), now()));
}
