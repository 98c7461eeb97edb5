import { ServiceError } from '../../domain/errors.ts';
import type { Delivery } from '../../domain/delivery/delivery.ts';
import type { EventId } from '../../domain/event/event-id.ts';
import type { EmitterId } from '../../domain/id.ts';
import type { StreamName } from '../../domain/event/stream.ts';
import type { DeliveriesOfEvent } from '../../service/webhooks/deliveries-of-event.ts';
import { isTrimmed } from '../../domain/event/trimming.ts';
import type { BodyReads } from '../../service/admission/body-reads.ts';
import type { StoredEventStore } from '../../store/events/stored-events.ts';
import { type ApiResponse, one } from '../api-response.ts';
import { type Reader, readRequest, showEvent } from './event-summaries.ts';
import { showAttemptSummary } from './show-webhook.ts';

interface OneEventServices {
  events: Pick<StoredEventStore, 'find' | 'latest'>;
  reads: BodyReads;
  deliveriesOf: DeliveriesOfEvent;
}

interface EventRequest {
  by: Reader;
  emitterId: EmitterId;
  stream: StreamName;
  eventId: EventId;
}

/** One readable event, whole, with its trigger and its deliveries. */
export async function oneEvent(
  { events, reads, deliveriesOf }: OneEventServices,
  { by, emitterId, stream, eventId }: EventRequest,
): Promise<ApiResponse> {
  const [event, latest] = await Promise.all([
    events.find(emitterId, stream, eventId),
    events.latest(emitterId, stream),
  ]);
  if (!event || isTrimmed(event, latest))
    throw new ServiceError('not_found', 'not_found', `There is no event ${eventId}.`);
  const [whole, deliveries] = await Promise.all([
    reads.whole(readRequest(by, emitterId), emitterId, event),
    deliveriesOf(by.caller.userId, { emitId: event.emitId, eventId }),
  ]);
  return one({
    ...showEvent(emitterId, whole),
    trigger_id: event.triggerId ?? null,
    deliveries: deliveries.map(showOfEvent),
  });
}

const showOfEvent = ({ id, listenerId, status, attemptCount, lastAttempt }: Delivery) => ({
  webhook_id: listenerId,
  delivery_id: id,
  status,
  attempts: attemptCount,
  last_attempt: showAttemptSummary(lastAttempt),
});
