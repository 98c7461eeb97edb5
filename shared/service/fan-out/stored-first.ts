import { deliveryIdOf, awaitsAttempt } from '../../domain/delivery/delivery.ts';
import { isWebhookId, type ListenerId } from '../../domain/id.ts';
import type { DeliveryMessage } from '../../domain/run/message.ts';
import type { StoredDelivery } from '../../store/deliveries/delivery-item.ts';
import type { LoggedSuccess } from '../../store/deliveries/delivery-log-item.ts';
import type { HttpTarget } from '../delivery/http-target.ts';
import { ensureSender } from '../delivery/park-delivery.ts';
import type { DeliveryServices } from '../delivery/delivery-services.ts';

export interface DeliveryBatch {
  /** Names the batch in the log. */
  id: string;
  startedAt: number;
  /** Whether an earlier batch had the message, and may have made some of its deliveries. */
  isRepeated(message: DeliveryMessage): boolean;
  /** Logs a successful first attempt. The batch ends when all of them are stored. */
  log(success: LoggedSuccess): void;
}

export interface ReadMessage {
  message: DeliveryMessage;
  /** JSON in UTF-8. */
  body: Buffer;
}

export type StoredFirst = ReturnType<typeof createStoredFirst>;

/** The deliveries of an event that get an item of their own, also when an earlier fan-out of the event died. */
export function createStoredFirst(services: DeliveryServices) {
  const { deliveries, successLog } = services;

  /**
   * Sends the message of a stored delivery: the fan-out that stored it may have died before it sent the message. Only
   * messages 0 and 1 need this, because a later message is sent before its number is recorded. A second message with
   * the same number is void. Returns the delivery if it waits for an attempt.
   */
  async function resume(
    message: DeliveryMessage,
    { listenerId }: Pick<HttpTarget, 'listenerId'>,
  ): Promise<StoredDelivery | undefined> {
    return resumeFound(await deliveries.find(listenerId, deliveryIdOf(message, listenerId)));
  }

  async function resumeFound(found: StoredDelivery | undefined): Promise<StoredDelivery | undefined> {
    if (!found || !awaitsAttempt(found)) return undefined;
    if (found.messageNumber <= 1 && found.list === undefined) await services.sendNext(found, found);
    return found;
  }

  const ensureSent = async (waiting: StoredDelivery | undefined): Promise<void> => {
    if (waiting?.list !== undefined) await ensureSender(services, waiting.listenerId);
  };

  /**
   * Whether an earlier fan-out delivered the event or stored the delivery, which then goes on. One may have done this
   * and another one that: a stored delivery counts more than the log, as in every list.
   */
  async function isMade(message: DeliveryMessage, { listenerId }: HttpTarget): Promise<boolean> {
    const id = deliveryIdOf(message, listenerId);
    const found = await deliveries.find(listenerId, id);
    if (!found) return isWebhookId(listenerId) && (await successLog.find(listenerId, id)) !== undefined;
    await ensureSent(await resumeFound(found));
    return true;
  }

  return {
    resume,

    /**
     * Resumes the deliveries of a repeated message that an earlier fan-out stored for webhooks that no longer subscribe
     * to it: its match does not find them.
     */
    async resumeUnsubscribed(
      message: DeliveryMessage,
      isSubscribed: (listenerId: ListenerId) => boolean,
    ): Promise<void> {
      const others = (await services.webhooks.ids(message.ownerId)).filter((id) => !isSubscribed(id));
      const ids = others.map((listenerId) => ({ listenerId, id: deliveryIdOf(message, listenerId) }));
      for (const found of await deliveries.findAll(ids)) await ensureSent(await resumeFound(found));
    },

    async createOrResume(message: DeliveryMessage, target: HttpTarget, more: Partial<StoredDelivery>): Promise<void> {
      const isCreated = await deliveries.create(newDelivery(message, target, more), message);
      if (!isCreated) await resume(message, target);
    },

    /** Leaves out the deliveries that an earlier fan-out of a repeated message made or stored. */
    async leaveOut(
      read: readonly ReadMessage[],
      target: HttpTarget,
      { isRepeated }: DeliveryBatch,
    ): Promise<ReadMessage[]> {
      const left = await Promise.all(
        read.map(async (item) => (isRepeated(item.message) && (await isMade(item.message, target)) ? [] : [item])),
      );
      return left.flat();
    },
  };
}

export const newDelivery = (
  message: DeliveryMessage,
  { listenerId, ownerId }: HttpTarget,
  more: Partial<StoredDelivery>,
): StoredDelivery => ({
  id: deliveryIdOf(message, listenerId),
  listenerId,
  ownerId,
  emitterId: message.emitterId,
  stream: message.stream,
  eventId: message.eventId,
  emitId: message.emitId,
  ...(message.indexedAt === undefined ? {} : { indexedAt: message.indexedAt }),
  ...(message.trace ? { trace: message.trace } : {}),
  status: 'pending',
  attemptCount: 0,
  scheduleStep: 0,
  messageNumber: 0,
  ...more,
});
