import { payloadText } from '../../aws/payloads.ts';
import type { Delivery } from '../../domain/delivery/delivery.ts';
import { bareEvent } from '../../domain/event/raw-event.ts';
import type { Trace } from '../../domain/event/trace.ts';
import type { OwnedDeliveries } from '../delivery/owned-deliveries.ts';
import type { StoredEventStore } from '../../store/events/stored-events.ts';

interface EventOfDeliveryOptions {
  deliveries: Pick<OwnedDeliveries, 'payload'>;
  events: Pick<StoredEventStore, 'find' | 'whole'>;
  bucket: { getText(key: string): Promise<string | undefined> };
}

interface DeliveredEvent {
  /** JSON text, as its body is sent. */
  json: string;
  trace?: Trace | undefined;
}

/** Undefined when neither delivery nor stream has the event any longer. */
export type EventOfDelivery = (delivery: Delivery) => Promise<DeliveredEvent | undefined>;

export function createEventOfDelivery({ deliveries, events, bucket }: EventOfDeliveryOptions): EventOfDelivery {
  async function storedEvent({ emitterId, stream, eventId }: Delivery): Promise<DeliveredEvent | undefined> {
    if (emitterId === undefined || eventId === undefined) return undefined;
    const event = await events.find(emitterId, stream, eventId);
    if (!event) return undefined;
    const shown = await events.whole(emitterId, event);
    // The body was trimmed between the two reads.
    if (event.truncated && shown === event.json) return undefined;
    return { json: bareEvent(emitterId, stream, shown), trace: event.trace };
  }

  return async (delivery) => {
    const payload = await deliveries.payload(delivery.id);
    const json = payload && (await payloadText(bucket, payload));
    return json === undefined ? storedEvent(delivery) : { json, trace: delivery.trace };
  };
}
