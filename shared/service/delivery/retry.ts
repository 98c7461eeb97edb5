import type { Schedules } from '../../aws/schedules.ts';
import { payloadText } from '../../aws/payloads.ts';
import { messageText } from '../../domain/message-text.ts';
import { LONGEST_DELAY_SECONDS, secondsUntil } from '../../domain/queue-delay.ts';
import type { RetryMessage } from '../../domain/message.ts';
import type { DeliveryStore, Delivery } from '../../store/deliveries.ts';
import type { ListenerStore } from '../../store/matching.ts';
import { decideRetry } from './retry-decision.ts';
import { type AttemptOptions, LATER_TIMEOUT_MS, sendAttempt, targetOf } from './http-target.ts';

export interface RetryOptions extends AttemptOptions {
  matching: Pick<ListenerStore, 'listeners'>;
  deliveries: DeliveryStore;
  bucket: { getText(key: string): Promise<string | undefined> };
  schedules: Pick<Schedules, 'create'>;
  retriesQueueArn: string;
  sendRetry(message: RetryMessage, delaySeconds: number): Promise<void>;
}

/**
 * Makes one attempt of one delivery. The row is written before the next message is sent: after a crash in between, the redelivered
 * message either makes its attempt or sends the next one.
 */
export const createRetry =
  (services: RetryOptions) =>
  async (message: RetryMessage): Promise<void> => {
    const { deliveries, now } = services;
    const { deliveryId, listenerId, attempt } = message;
    const delivery = await deliveries.find(listenerId, deliveryId);
    if (delivery?.status !== 'retrying') return;
    if (delivery.made >= attempt) {
      if (delivery.made === attempt && delivery.nextAt !== undefined)
        await sendNext(services, delivery, delivery.nextAt);
      return;
    }
    const listener = (await services.matching.listeners([listenerId])).get(listenerId);
    const target = listener && targetOf(listener);
    if (!target) {
      await deliveries.remove(listenerId, deliveryId);
      return;
    }
    if (!target.isActive) {
      await deliveries.setStatus(delivery, 'held');
      return;
    }
    const body = await payloadText(services.bucket, delivery.payload);
    if (body === undefined) {
      await deliveries.setStatus(delivery, 'dead');
      return;
    }
    // A duplicate message makes no attempt: the invocation that claimed the attempt makes it, or leaves its message unacknowledged.
    if (!(await deliveries.claim(delivery, attempt, now()))) return;
    const { emitterId, stream, eventId, emitId } = delivery;
    const outcome = await sendAttempt(services, {
      target,
      sent: { emitterId, stream, eventId, emitId, body },
      timeoutMs: LATER_TIMEOUT_MS,
    });
    const decision = await decideRetry(deliveries, { outcome, attempt, target, now: now() });
    const isFirst = await deliveries.record(delivery, decision);
    if (isFirst && decision.nextAt !== undefined)
      await sendNext(services, { ...delivery, made: attempt }, decision.nextAt);
  };

/** Queues or schedules the next attempt. A duplicate message makes no further attempt. */
async function sendNext(
  { schedules, retriesQueueArn, sendRetry, now }: RetryOptions,
  { id, listenerId, made }: Pick<Delivery, 'id' | 'listenerId' | 'made'>,
  at: number,
): Promise<void> {
  const message: RetryMessage = { deliveryId: id, listenerId, attempt: made + 1 };
  const delaySeconds = secondsUntil(at, now());
  if (delaySeconds <= LONGEST_DELAY_SECONDS) {
    await sendRetry(message, delaySeconds);
    return;
  }
  await schedules.create({
    name: `${id}-${message.attempt}`,
    when: { at: new Date(at) },
    queueArn: retriesQueueArn,
    input: messageText(message),
  });
}
