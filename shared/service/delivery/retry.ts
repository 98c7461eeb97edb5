import type { Schedules } from '../../aws/schedules.ts';
import { messageText } from '../../aws/queues.ts';
import type { RetryMessage } from '../../domain/message.ts';
import type { DeliveryStore, Delivery } from '../../store/deliveries.ts';
import type { ListenerStore } from '../../store/matching.ts';
import { decideRetry } from './delivery-row.ts';
import { type AttemptOptions, LATER_TIMEOUT_MS, sendAttempt, targetOf } from './http-target.ts';

export interface RetryOptions extends AttemptOptions {
  matching: Pick<ListenerStore, 'listeners'>;
  deliveries: DeliveryStore;
  bucket: { getText(key: string): Promise<string | undefined> };
  schedules: Pick<Schedules, 'create'>;
  retriesQueueArn: string;
  sendRetry(message: RetryMessage, delaySeconds: number): Promise<void>;
}

/** A queue delays by at most a quarter of an hour; what is later comes by a schedule. */
const LONGEST_DELAY_SECONDS = 900;

/**
 * Makes one attempt of one delivery. The row is written before the next message is sent, so whatever dies in between, the message that comes
 * back either makes its attempt or sends the next one.
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
    const body = await textOf(services, delivery);
    if (body === undefined) {
      await deliveries.setStatus(delivery, 'dead');
      return;
    }
    // A message that came twice makes one attempt: whoever took it answers for it, and dies with its message unacknowledged.
    if (!(await deliveries.claim(delivery, attempt, now()))) return;
    const { emitterId, stream, eventId, emitId } = delivery;
    const outcome = await sendAttempt(services, {
      target,
      sent: { emitterId, stream, eventId, emitId, body },
      timeoutMs: LATER_TIMEOUT_MS,
    });
    const verdict = await decideRetry(deliveries, { outcome, attempt, target, now: now() });
    const isFirst = await deliveries.record(delivery, verdict);
    if (isFirst && verdict.nextAt !== undefined)
      await sendNext(services, { ...delivery, made: attempt }, verdict.nextAt);
  };

async function textOf({ bucket }: RetryOptions, { payload }: Delivery): Promise<string | undefined> {
  return 'json' in payload ? payload.json : bucket.getText(payload.key);
}

/** The attempt after those that were made, at its time. Sending it twice makes one. */
async function sendNext(
  { schedules, retriesQueueArn, sendRetry, now }: RetryOptions,
  { id, listenerId, made }: Pick<Delivery, 'id' | 'listenerId' | 'made'>,
  at: number,
): Promise<void> {
  const message: RetryMessage = { deliveryId: id, listenerId, attempt: made + 1 };
  const delaySeconds = Math.max(Math.ceil((at - now()) / 1_000), 0);
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
