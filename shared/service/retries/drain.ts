import type { WebhookId } from '../../domain/id.ts';
import type { RetryMessageOf } from '../../domain/run/message.ts';
import { LONGEST_DELAY_SECONDS, secondsUntil } from '../../domain/run/queue-delay.ts';
import { webhookWork } from '../../domain/webhook/webhook-work.ts';
import type { StoredDelivery } from '../../store/deliveries/delivery-item.ts';
import { FOLLOW_SECONDS } from '../../store/deliveries/drain-leases.ts';
import { attemptDelivery, type AttemptResult } from '../delivery/attempt-delivery.ts';
import { targetOfWebhook } from '../delivery/http-target.ts';
import { startWork } from '../delivery/send-next.ts';
import { Pace, pacedAttempts } from './paced-attempts.ts';
import { BUSY_SECONDS } from './retry.ts';
import { waitingDeliveries } from './waiting-deliveries.ts';
import type { RetryServices } from './retry-services.ts';

/** Work of one invocation; an attempt that begins at its end has 15 s more. A message of its own goes on. */
export const WORKER_MS = 30_000;

/** Sends the waiting deliveries of a webhook, oldest first, within its rate limit. One worker at a time does that. */
export const createDrain =
  (services: RetryServices) =>
  async ({ listenerId }: RetryMessageOf<'drain'>): Promise<void> => {
    const { leases, sendRetry, now } = services;
    const end = now() + WORKER_MS;
    for (;;) {
      const release = await leases.acquire(listenerId, now());
      if (!release) return follow(services, listenerId);
      let continueIn: number | undefined;
      try {
        continueIn = await drainUntil(services, listenerId, end);
      } finally {
        await release();
      }
      if (continueIn !== undefined) return sendRetry({ kind: 'drain', listenerId }, continueIn);
      // The worker of a delivery that was parked just before the release found no lease.
      if ((await sendable(services, listenerId, 1)).items.length === 0) return;
      const webhook = await services.webhooks.find(listenerId);
      if (!webhook || webhookWork(webhook).kind !== 'drain') return;
    }
  };

/**
 * Sends a message that comes after the worker with the lease has ended. SQS may have given that worker's message to
 * this one, too, which deletes it: without another one the deliveries would wait for ever if the worker died. One for
 * all is enough.
 */
async function follow(
  { leases, sendRetry, now }: Pick<RetryServices, 'leases' | 'sendRetry' | 'now'>,
  listenerId: WebhookId,
): Promise<void> {
  if (await leases.isFollowed(listenerId, now())) return;
  await sendRetry({ kind: 'drain', listenerId }, FOLLOW_SECONDS);
  await leases.follow(listenerId, now());
}

/**
 * Entries whose deliveries are being written or are elsewhere: so many are read at once beside those that are asked
 * for.
 */
const MAX_UNREADY = 20;

/**
 * The oldest waiting deliveries that may be sent now. `nextAt` is the time at which an older one may be sent, epoch ms.
 */
async function sendable(
  services: RetryServices,
  webhookId: WebhookId,
  limit: number,
): Promise<{ items: StoredDelivery[]; nextAt: number | undefined }> {
  const items: StoredDelivery[] = [];
  let nextAt: number | undefined;
  const waiting = waitingDeliveries(services, webhookId, { order: 'oldest', pageSize: limit + MAX_UNREADY });
  for await (const delivery of waiting) {
    const { notBefore = 0 } = delivery;
    if (notBefore > services.now()) nextAt = Math.min(nextAt ?? Infinity, notBefore);
    else if (items.push(delivery) === limit) break;
  }
  return { items, nextAt };
}

/** The next slots of the rate limit are taken by others. */
export const NO_SLOT_SECONDS = 1;

/** Seconds after which another worker must go on; undefined when nothing is left to send. */
async function drainUntil(
  services: RetryServices,
  webhookId: RetryMessageOf<'drain'>['listenerId'],
  end: number,
): Promise<number | undefined> {
  const { webhooks, slots, now } = services;
  const pace = new Pace();
  while (now() < end) {
    const webhook = await webhooks.find(webhookId);
    if (!webhook) return undefined;
    const work = webhookWork(webhook);
    if (work.kind === 'hold') await startWork(services, webhook);
    // A probe that succeeds begins the drain of an open breaker.
    if (work.kind !== 'drain') return undefined;
    const { items, nextAt } = await sendable(services, webhookId, pace.size);
    if (items.length === 0)
      return nextAt === undefined ? undefined : Math.min(secondsUntil(nextAt, now()), LONGEST_DELAY_SECONDS);
    const results: AttemptResult[] = [];
    const target = targetOfWebhook(webhook, now());
    const attempted = await pacedAttempts({
      slots,
      target,
      items,
      now,
      make: async (delivery) => {
        const result = await attemptDelivery(services, { delivery, target, cause: 'schedule' });
        results.push(result);
      },
    });
    if (attempted.length === 0) return NO_SLOT_SECONDS;
    if (results.every((result) => result === 'busy')) return BUSY_SECONDS;
    pace.after(results.some((result) => result !== 'delivered'));
  }
  return 0;
}
