import { type EventWindow, eventPage } from '../../domain/event/event-page.ts';
import { stepsOf } from '../../domain/event/event-pattern/condition.ts';
import { createMatchers, type EventFilter } from '../../domain/event/event-pattern/event-filter.ts';
import { positionOf, type EventId } from '../../domain/event/event-id.ts';
import type { EmitterId } from '../../domain/id.ts';
import { JsonText } from '../../lib/json-text.ts';
import { shownName, type StreamName } from '../../domain/event/stream.ts';
import type { StoredEvent } from '../../store/events/event-item.ts';
import type { EmittedEvent } from '../../store/events/event-lookup.ts';
import type { BodyReads, ReadRequest } from '../../service/admission/body-reads.ts';
import type { StoredEventStore } from '../../store/events/stored-events.ts';
import type { Request } from '../http.ts';
import { all, type ApiResponse, LARGEST_PAGE_BYTES, page, one } from '../api-response.ts';
import type { Delivery } from '../../domain/delivery/delivery.ts';
import type { DeliveriesOfEvent } from '../../service/webhooks/deliveries-of-event.ts';
import { isTrimmed } from '../../domain/event/trimming.ts';
import { showAttemptSummary } from './show-webhook.ts';
import { notFound } from '../../domain/errors.ts';

interface EventReading {
  events: Pick<StoredEventStore, 'latest'>;
  reads: BodyReads;
}

type Reader = Pick<Request, 'caller' | 'client'>;

const readRequest = ({ caller: { userId }, client }: Reader, lane: string): ReadRequest => ({
  userId,
  lane,
  client,
});

interface StreamRequest {
  by: Reader;
  emitterId: EmitterId;
  stream: StreamName;
}

interface SummaryRequest extends StreamRequest, EventWindow {
  expand?: 'event' | undefined;
  filter?: EventFilter | undefined;
}

/** The last events of a stream that pass the filter. Bodies are read only for `expand=event` and for a filter. */
export async function summaryPage(services: EventReading, request: SummaryRequest): Promise<ApiResponse> {
  const { emitterId, stream, expand, filter, by: _, ...window } = request;
  const latest = await services.events.latest(emitterId, stream);
  const readable = filter === undefined ? latest : await passing(services, request, { latest, filter });
  const chosen = eventPage(readable, window);
  const shown = expand ? await expanded(services, request, { chosen, isUpwards: window.before !== undefined }) : chosen;
  return page(shown, {
    totalCount: readable.length,
    cursorOf: ({ id }) => id,
    show: (event) => showEvent(emitterId, event),
  });
}

/** The response of the legacy endpoint: whole events, without pages. */
export async function legacyEvents(
  services: EventReading,
  { limit, ...request }: StreamRequest & { limit: number },
): Promise<ApiResponse> {
  const latest = await services.events.latest(request.emitterId, request.stream);
  const whole = await expanded(services, request, { chosen: latest.slice(0, limit), isUpwards: false });
  return all(whole.map(({ id, json }) => ({ id, e: new JsonText(json), k: 'emit', ts: positionOf(id).ms })));
}

export const showEvent = (emitterId: EmitterId, event: StoredEvent) => ({
  id: event.id,
  indexed_at_ms: event.indexedAt,
  event: new JsonText(event.json),
  metadata: {
    emit_id: event.emitId,
    name: shownName(event.stream),
    emitter_id: emitterId,
    id: event.ownId,
    summary: event.summary,
    ts: event.ts,
    truncated: event.truncated ? true : undefined,
  },
});

export const showEmitted = ({ emitterId, event }: EmittedEvent) => showEvent(emitterId, event);

/** Estimated size of a summary without its event. */
const FRAME_BYTES = 1_500;

/** Reads whole events, starting at the cursor, until the page is full; at least one. */
const expanded = (
  { reads }: EventReading,
  { emitterId, by }: StreamRequest,
  { chosen, isUpwards }: { chosen: readonly StoredEvent[]; isUpwards: boolean },
): Promise<StoredEvent[]> =>
  reads.run('page', readRequest(by, emitterId), async (read) => {
    const kept: StoredEvent[] = [];
    let bytes = 0;
    for await (const { whole } of read.whole(emitterId, isUpwards ? chosen.toReversed() : chosen)) {
      bytes += Buffer.byteLength(whole.json) + FRAME_BYTES;
      if (bytes > LARGEST_PAGE_BYTES && kept.length > 0) break;
      kept.push(whole);
    }
    return isUpwards ? kept.reverse() : kept;
  });

/** Keeps no bodies: together they may not fit into memory. */
const passing = (
  { reads }: EventReading,
  { emitterId, by }: StreamRequest,
  { latest, filter }: { latest: readonly StoredEvent[]; filter: EventFilter },
): Promise<StoredEvent[]> =>
  reads.run('filter', readRequest(by, emitterId), async (read) => {
    const matches = createMatchers()(filter);
    const passed: StoredEvent[] = [];
    for await (const { event, whole } of read.whole(emitterId, latest))
      if (await read.inSteps(() => stepsOf(matches(JSON.parse(whole.json))))) passed.push(event);
    return passed;
  });

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
  if (!event || isTrimmed(event, latest)) throw notFound(`event ${eventId}`);
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
