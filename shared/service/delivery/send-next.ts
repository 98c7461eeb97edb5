import type { Schedules } from '../../aws/schedules.ts';
import { messageText } from '../../domain/run/message-text.ts';
import type { RetryMessage } from '../../domain/run/message.ts';
import { LONGEST_DELAY_SECONDS, secondsUntil } from '../../domain/run/queue-delay.ts';
import { webhookWork, workMessage, type Webhook } from '../../domain/webhook/webhook.ts';
import type { StoredDelivery } from '../../store/deliveries/delivery-item.ts';

export type SendNext = (
  delivery: Pick<StoredDelivery, 'id' | 'listenerId'>,
  next: { messageNumber: number; nextAt?: number | undefined },
) => Promise<void>;

interface QueueOptions {
  sendRetry(message: RetryMessage, delaySeconds: number): Promise<void>;
  now(): number;
}

/** Sends the message of the work that keeps the waiting deliveries of a webhook going. A probe comes at its time. */
export async function startWork(
  { sendRetry, now }: QueueOptions,
  webhook: Pick<Webhook, 'id' | 'active' | 'suspendedAt' | 'health'>,
): Promise<void> {
  const work = webhookWork(webhook);
  const delaySeconds = work.kind === 'probe' ? secondsUntil(work.breaker.probeAt, now()) : 0;
  await sendRetry(workMessage(webhook.id, work), delaySeconds);
}

const messageOf = (
  { id, listenerId }: Pick<StoredDelivery, 'id' | 'listenerId'>,
  messageNumber: number,
): RetryMessage => ({
  kind: 'retry',
  deliveryId: id,
  listenerId,
  turn: messageNumber,
});

/**
 * Sends the message of a first retry. If it is due after the longest delay of a queue, it comes early, and the retries
 * send it again.
 */
export const createFirstRetrySender =
  ({ sendRetry, now }: QueueOptions): SendNext =>
  (delivery, { messageNumber, nextAt = 0 }) =>
    sendRetry(messageOf(delivery, messageNumber), Math.min(secondsUntil(nextAt, now()), LONGEST_DELAY_SECONDS));

/** Later messages have a schedule of their own, named after delivery and message number. */
export const createNextSender =
  ({
    schedules,
    retriesQueueArn,
    ...queue
  }: QueueOptions & { schedules: Pick<Schedules, 'create'>; retriesQueueArn: string }): SendNext =>
  async (delivery, { messageNumber, nextAt = 0 }) => {
    if (secondsUntil(nextAt, queue.now()) <= LONGEST_DELAY_SECONDS)
      return createFirstRetrySender(queue)(delivery, { messageNumber, nextAt });
    await schedules.create({
      name: `${delivery.id}-${messageNumber}`,
      when: { at: new Date(nextAt) },
      queueArn: retriesQueueArn,
      input: messageText(messageOf(delivery, messageNumber)),
    });
  };
