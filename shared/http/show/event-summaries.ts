import type { EventWindow } from '../../domain/event/event-page.ts';
import { eventPage } from '../../domain/event/event-page.ts';
import { createMatchers, type EventFilter } from '../../domain/event/event-pattern/event-filter.ts';
import { positionOf } from '../../domain/event/event-id.ts';
import type { EmitterId } from '../../domain/id.ts';
import { JsonText } from '../../lib/json-text.ts';
import { shownName, type StreamName } from '../../domain/event/stream.ts';
import type { StoredEvent } from '../../store/event-item.ts';
import type { EmittedEvent } from '../../store/event-lookup.ts';
import { type StoredEventStore, wholeStoredEvent } from '../../store/stored-events.ts';
import { all, type ApiResponse, LARGEST_PAGE_BYTES, page } from '../api-response.ts';

export interface SummaryRequest extends EventWindow {
  emitterId: EmitterId;
  stream: StreamName;
  expand?: 'event' | undefined;
  filter?: EventFilter | undefined;
}

/** The last events of a stream that pass the filter. Bodies are read only for `expand=event` and for a filter. */
export async function summaryPage(
  events: StoredEventStore,
  { emitterId, stream, expand, filter, ...window }: SummaryRequest,
): Promise<ApiResponse> {
  const latest = await events.latest(emitterId, stream);
  const readable = filter === undefined ? latest : await passing(events, emitterId, latest, filter);
  const chosen = eventPage(readable, window);
  const shown = expand
    ? await expanded(events, emitterId, { chosen, isUpwards: window.before !== undefined })
    : chosen;
  return page(shown, {
    totalCount: readable.length,
    cursorOf: ({ id }) => id,
    show: (event) => showEvent(emitterId, event),
  });
}

/** The response of the legacy endpoint: whole events, without pages. */
export async function legacyEvents(
  events: StoredEventStore,
  { emitterId, stream, limit }: { emitterId: EmitterId; stream: StreamName; limit: number },
): Promise<ApiResponse> {
  const chosen = (await events.latest(emitterId, stream)).slice(0, limit);
  const whole = await expanded(events, emitterId, { chosen, isUpwards: false });
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

/** Bodies read concurrently. More would read bodies that the full page has no room for. */
const CONCURRENT_READS = 8;
/** Characters of an event before which other requests are served: parsing 1 MiB of small values takes 50 ms. */
const YIELD_BYTES = 64 * 1024;
const nextTick = () => new Promise<void>((resolve) => setImmediate(resolve));
/** Estimated size of a summary without its event. */
const FRAME_BYTES = 1_500;

/** Reads whole events, starting at the cursor, until the page is full; at least one. */
async function expanded(
  events: StoredEventStore,
  emitterId: EmitterId,
  { chosen, isUpwards }: { chosen: readonly StoredEvent[]; isUpwards: boolean },
): Promise<StoredEvent[]> {
  const inOrder = isUpwards ? chosen.toReversed() : chosen;
  const kept: StoredEvent[] = [];
  let bytes = 0;
  for (let at = 0; at < inOrder.length && bytes < LARGEST_PAGE_BYTES; at += CONCURRENT_READS) {
    const whole = await Promise.all(
      inOrder.slice(at, at + CONCURRENT_READS).map((event) => wholeStoredEvent(events, emitterId, event)),
    );
    for (const event of whole) {
      bytes += Buffer.byteLength(event.json) + FRAME_BYTES;
      if (bytes > LARGEST_PAGE_BYTES && kept.length > 0) break;
      kept.push(event);
    }
  }
  return isUpwards ? kept.reverse() : kept;
}

/** Keeps no bodies: together they may not fit into memory. */
async function passing(
  events: StoredEventStore,
  emitterId: EmitterId,
  latest: readonly StoredEvent[],
  filter: EventFilter,
): Promise<StoredEvent[]> {
  const matches = createMatchers()(filter);
  const passed: StoredEvent[] = [];
  for (let at = 0; at < latest.length; at += CONCURRENT_READS) {
    const read = latest.slice(at, at + CONCURRENT_READS).map(async (event) => ({
      event,
      json: (await wholeStoredEvent(events, emitterId, event)).json,
    }));
    for (const { event, json } of await Promise.all(read)) {
      if (json.length > YIELD_BYTES) await nextTick();
      if (matches(JSON.parse(json))) passed.push(event);
    }
  }
  return passed;
}
