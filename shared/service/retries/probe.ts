import { awaitsAttempt } from '../../domain/delivery/delivery.ts';
import type { WebhookId } from '../../domain/id.ts';
import type { RetryMessageOf } from '../../domain/run/message.ts';
import { secondsUntil } from '../../domain/run/queue-delay.ts';
import { webhookWork, workMessage } from '../../domain/webhook/webhook-work.ts';
import type { Webhook } from '../../domain/webhook/webhook.ts';
import { LONGEST_WAIT_MS, type StoredDelivery } from '../../store/delivery-item.ts';
import { idsBetween } from '../../store/delivery-order.ts';
import { attemptDelivery } from '../delivery/attempt-delivery.ts';
import { targetOfWebhook } from '../delivery/http-target.ts';
import { BUSY_SECONDS } from './retry.ts';
import { waitingDeliveries } from './waiting-deliveries.ts';
import type { RetryServices } from './retry-services.ts';

/** Sends the oldest waiting delivery to a webhook with an open breaker. A success closes the breaker; the health recorder decides that. */
export const createProbe =
  (services: RetryServices) =>
  async (message: RetryMessageOf<'probe'>): Promise<void> => {
    const { webhooks, sendRetry, now } = services;
    const { listenerId, probe } = message;
    const webhook = await webhooks.find(listenerId);
    if (!webhook) return;
    const work = webhookWork(webhook);
    // The webhook is inactive, or a crash came between the closing of the breaker and its drain.
    if (work.kind !== 'probe') return sendRetry(workMessage(listenerId, work), 0);
    const { breaker } = work;
    if (probe < breaker.probe) return;
    const delivery = await oldestWaiting(services, listenerId);
    if (!delivery) return endProbes(services, webhook, message);
    const target = targetOfWebhook(webhook, now());
    const result = await attemptDelivery(services, {
      delivery,
      target,
      cause: 'probe',
      probe: breaker.probe,
    });
    if (result === 'busy') await sendRetry(message, BUSY_SECONDS);
    if (result === 'expired') await sendRetry(message, 0);
  };

/** The oldest delivery that is due, or else the oldest one whose next attempt is to come. */
async function oldestWaiting(
  services: RetryServices,
  webhookId: WebhookId,
): Promise<StoredDelivery | undefined> {
  const { deliveries, now } = services;
  const [due] = await waitingDeliveries(services, webhookId, 1);
  if (due) return due;
  const range = { ...idsBetween(now() - LONGEST_WAIT_MS, Infinity), isUpwards: true };
  for await (const delivery of deliveries.read(webhookId, range))
    if (awaitsAttempt(delivery)) return delivery;
  return undefined;
}

/** Without waiting deliveries there is nothing to probe with. The next one that is parked begins the probes again. */
async function endProbes(
  services: RetryServices,
  webhook: Webhook,
  message: RetryMessageOf<'probe'>,
): Promise<void> {
  const { webhooks, sendRetry, now } = services;
  const { health } = webhook;
  const { breaker } = health;
  if (!breaker) return;
  const isIdle = { ...health, breaker: { ...breaker, isIdle: true } };
  const changed = breaker.isIdle ? webhook : await webhooks.change(webhook, { health: isIdle });
  if (!changed || (await oldestWaiting(services, webhook.id)))
    await sendRetry(message, secondsUntil(Math.max(breaker.probeAt, now() + 1_000), now()));
}
