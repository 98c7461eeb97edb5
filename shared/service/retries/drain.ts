import type { EmitterId, WebhookId } from '../../domain/id.ts';
import type { RetryMessageOf } from '../../domain/run/message.ts';
import { LONGEST_DELAY_SECONDS, secondsUntil } from '../../domain/run/queue-delay.ts';
import { webhookWork } from '../../domain/webhook/webhook.ts';
import { settleAll } from '../../lib/settle-all.ts';
import type { StoredDelivery } from '../../store/deliveries/delivery-item.ts';
import { FOLLOW_SECONDS } from '../../store/deliveries/drain-leases.ts';
import { attemptDelivery, type AttemptResult } from '../delivery/attempt-delivery.ts';
import { targetOfWebhook } from '../delivery/http-target.ts';
import { startWork } from '../delivery/send-next.ts';
import { drainInOrder, hasOtherHead } from './drain-in-order.ts';
import { Pace, pacedAttempts } from './paced-attempts.ts';
import { BUSY_SECONDS, type RetryServices } from './retry.ts';
import { waitingDeliveries } from './waiting-deliveries.ts';

/** Work of one invocation; an attempt that begins at its end has 15 s more. A message of its own goes on. */
export const WORKER_MS = 30_000;

/**
 * Sends the waiting deliveries of a webhook, oldest first, and those that are in the order of their emitters, within
 * its rate limit. One worker at a time does that.
 */
export const createDrain =
  (services: RetryServices) =>
  async ({ listenerId }: RetryMessageOf<'drain'>): Promise<void> => {
    const { leases, sendRetry, now } = services;
    const end = now() + WORKER_MS;
    for (;;) {
      const release = await leases.acquire(listenerId, now());
      if (!release) return follow(services, listenerId, FOLLOW_SECONDS);
      let drained: Drained;
      try {
        drained = await drainBoth(services, listenerId, end);
      } finally {
        await release();
      }
      const { continueIn, stopped } = drained;
      if (continueIn === 0) return sendRetry({ kind: 'drain', listenerId }, 0);
      if (continueIn !== undefined) await follow(services, listenerId, continueIn);
      // The worker of a delivery that was parked just before the release found no lease.
      const isOver = (await sendable(services, listenerId, 1)).items.length === 0;
      if (isOver && !(await hasOtherHead(services, listenerId, stopped))) return;
      const webhook = await services.webhooks.find(listenerId);
      if (!webhook || webhookWork(webhook).kind !== 'drain') return;
    }
  };

/**
 * Sends a message that continues the drain, unless one comes before it: one for all is enough, however many deliveries
 * are parked meanwhile. A worker without a lease needs it, too: SQS may have given it the message of the worker with
 * the lease, and deletes that. Without another one the deliveries would wait for ever if the worker died.
 */
async function follow(
  { leases, sendRetry, now }: Pick<RetryServices, 'leases' | 'sendRetry' | 'now'>,
  listenerId: WebhookId,
  seconds: number,
): Promise<void> {
  const at = now() + seconds * 1_000;
  if (await leases.isFollowed(listenerId, { now: now(), by: at })) return;
  await sendRetry({ kind: 'drain', listenerId }, seconds);
  await leases.follow(listenerId, at);
}

interface Drained {
  /** Seconds after which another worker must go on; undefined when nothing is left to send. */
  continueIn: number | undefined;
  /** Emitters whose oldest delivery cannot be sent now. */
  stopped: ReadonlySet<EmitterId>;
}

async function drainBoth(services: RetryServices, listenerId: WebhookId, end: number): Promise<Drained> {
  const seconds: number[] = [];
  const stopped = new Map<EmitterId, number>();
  const drainWaiting = async () => {
    const continueIn = await drainUntil(services, listenerId, end);
    if (continueIn !== undefined) seconds.push(continueIn);
  };
  await settleAll([drainWaiting(), drainInOrder(services, { webhookId: listenerId, end, stopped })]);
  for (const at of stopped.values())
    if (at !== Infinity) seconds.push(Math.min(secondsUntil(at, services.now()), LONGEST_DELAY_SECONDS));
  return {
    continueIn: seconds.length === 0 ? undefined : Math.min(...seconds),
    stopped: new Set(stopped.keys()),
  };
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
