import { deliveryIdOf } from '../../shared/domain/delivery/delivery.ts';
import type { DeliveryMessage } from '../../shared/domain/run/message.ts';
import type { Webhook } from '../../shared/domain/webhook/webhook.ts';
import type { StoredDelivery } from '../../shared/store/deliveries/delivery-item.ts';

/** A delivery without attempts, as a fan-out stores it. */
export const aDelivery = (
  message: DeliveryMessage,
  { id: listenerId }: Pick<Webhook, 'id'>,
  more: Partial<StoredDelivery> = {},
): StoredDelivery => {
  const { emitterId, ownerId, stream, eventId, emitId } = message;
  const event = { emitterId, ownerId, stream, eventId, emitId };
  const id = deliveryIdOf(message, listenerId);
  return {
    id,
    listenerId,
    ...event,
    status: 'pending',
    attemptCount: 0,
    scheduleStep: 0,
    messageNumber: 0,
    ...more,
  };
};
