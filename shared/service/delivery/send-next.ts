import type { Schedules } from '../../aws/schedules.ts';
import { messageText } from '../../domain/run/message-text.ts';
import type { RetryMessage } from '../../domain/run/message.ts';
import { LONGEST_DELAY_SECONDS, secondsUntil } from '../../domain/run/queue-delay.ts';
import type { StoredDelivery } from '../../store/delivery-item.ts';

/** Sends the message of a delivery's next turn. */
export type SendNext = (
  delivery: Pick<StoredDelivery, 'id' | 'listenerId'>,
  next: { turn: number; nextAt?: number | undefined },
) => Promise<void>;

interface QueueOptions {
  sendRetry(message: RetryMessage, delaySeconds: number): Promise<void>;
  now(): number;
}

const messageOf = (
  { id, listenerId }: Pick<StoredDelivery, 'id' | 'listenerId'>,
  turn: number,
): RetryMessage => ({
  kind: 'retry',
  deliveryId: id,
  listenerId,
  turn,
});

/** For a first retry: it is always due within the longest delay of a queue. */
export const createFirstRetrySender =
  ({ sendRetry, now }: QueueOptions): SendNext =>
  (delivery, { turn, nextAt = 0 }) =>
    sendRetry(messageOf(delivery, turn), Math.min(secondsUntil(nextAt, now()), LONGEST_DELAY_SECONDS));

/** Later turns have a schedule of their own, named after delivery and turn. */
export const createNextSender =
  ({
    schedules,
    retriesQueueArn,
    ...queue
  }: QueueOptions & { schedules: Pick<Schedules, 'create'>; retriesQueueArn: string }): SendNext =>
  async (delivery, { turn, nextAt = 0 }) => {
    if (secondsUntil(nextAt, queue.now()) <= LONGEST_DELAY_SECONDS)
      return createFirstRetrySender(queue)(delivery, { turn, nextAt });
    await schedules.create({
      name: `${delivery.id}-${turn}`,
      when: { at: new Date(nextAt) },
      queueArn: retriesQueueArn,
      input: messageText(messageOf(delivery, turn)),
    });
  };
