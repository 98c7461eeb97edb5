import { awaitsAttempt, createdAtOf, isDue } from '../../domain/delivery/delivery.ts';
import type { ListenerId, WebhookId } from '../../domain/id.ts';
import type { RetryMessage } from '../../domain/run/message.ts';
import { LONGEST_DELAY_SECONDS } from '../../domain/run/queue-delay.ts';
import { webhookWork } from '../../domain/webhook/webhook.ts';
import { LONGEST_WAIT_MS, type StoredDelivery } from '../../store/deliveries/delivery-item.ts';
import { idsBetween } from '../../store/deliveries/delivery-order.ts';
import { createNextSender, startWork } from '../delivery/send-next.ts';
import { scheduleKeeping } from '../webhooks/keep-log.ts';
import { createMissing } from './create-missing.ts';
import type { ReconcileContext } from './reconcile-context.ts';

/** A first attempt that is under way has no message of its own. */
const FIRST_ATTEMPT_MS = LONGEST_DELAY_SECONDS * 1_000;

/** Makes the schedules of a webhook that are missing, and sends the messages of its work again. */
export async function restoreWebhook(context: ReconcileContext, id: WebhookId): Promise<void> {
  const { services } = context;
  const { webhooks, waitingAndHeld, recoveries, queues, now } = services;
  const webhook = await webhooks.find(id);
  if (!webhook) return;
  const schedules = { create: createOf(context, 'keeping') };
  await scheduleKeeping({ schedules, retriesQueueArn: queues.retriesQueueArn, now }, id);
  await restoreRetries(context, id);
  const waits = (await waitingAndHeld.oldest('waiting', id, { limit: 1 })).length > 0;
  // A copy of a message makes no second worker and no second probe.
  if (waits || webhookWork(webhook).kind === 'probe')
    await startWork({ sendRetry: (...message) => resend(context, ...message), now }, webhook);
  const recovery = await recoveries.find(id);
  if (recovery?.status === 'running')
    await resend(context, { kind: 'recover', listenerId: id, recoveryId: recovery.id, part: recovery.chunk }, 0);
}

/**
 * Makes the schedules of deliveries whose next attempt is more than 15 minutes away, and sends the messages of the
 * others. The number of a message makes a copy void.
 */
export async function restoreRetries(context: ReconcileContext, listenerId: ListenerId): Promise<void> {
  const { deliveries, queues, now } = context.services;
  const sendNext = createNextSender({
    schedules: { create: createOf(context, 'retries') },
    retriesQueueArn: queues.retriesQueueArn,
    sendRetry: (message, delaySeconds) => resend(context, message, delaySeconds),
    now,
  });
  const range = { ...idsBetween(now() - LONGEST_WAIT_MS, Infinity), isUpwards: true };
  for await (const delivery of deliveries.read(listenerId, range))
    if (needsMessage(delivery, now())) await sendNext(delivery, delivery);
}

/**
 * A delivery on a list is sent by the worker of its webhook, unless it waits for its time while the breaker is open.
 */
const needsMessage = (delivery: StoredDelivery, now: number): boolean =>
  awaitsAttempt(delivery) &&
  (delivery.list === undefined || !isDue(delivery, now)) &&
  (delivery.attemptCount > 0 || createdAtOf(delivery) < now - FIRST_ATTEMPT_MS);

const createOf =
  (context: ReconcileContext, kind: 'keeping' | 'retries') =>
  (schedule: Parameters<typeof createMissing>[2]): Promise<void> =>
    createMissing(context, kind, schedule);

async function resend(
  { services, counts }: ReconcileContext,
  message: RetryMessage,
  delaySeconds: number,
): Promise<void> {
  counts.messages += 1;
  await services.sendRetry(message, Math.min(delaySeconds, LONGEST_DELAY_SECONDS));
}
