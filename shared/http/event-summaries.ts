import type { EventWindow } from '../domain/event-page.ts';
import { eventPage } from '../domain/event-page.ts';
import { positionOf } from '../domain/event-id.ts';
import type { EmitterId } from '../domain/id.ts';
import { JsonText } from '../domain/json-text.ts';
import { shownName, type StreamName } from '../domain/stream.ts';
import type { StoredEvent } from '../store/event-item.ts';
import type { StoredEventStore } from '../store/stored-events.ts';
import { all, type Answer, LARGEST_PAGE_BYTES, page } from './answer.ts';

export interface SummaryRequest extends EventWindow {
  emitterId: EmitterId;
  stream: StreamName;
  expand?: 'event' | undefined;
}

/** The last events of a stream. Bodies are read only for `expand=event`. */
export async function summaryPage(
  events: StoredEventStore,
  { emitterId, stream, expand, ...window }: SummaryRequest,
): Promise<Answer> {
  const readable = await events.latest(emitterId, stream);
  const chosen = eventPage(readable, window);
  const shown = expand
    ? await expanded(events, emitterId, { chosen, isUpwards: window.before !== undefined })
    : chosen;
  return page(shown, {
    totalCount: readable.length,
    cursorOf: ({ id }) => id,
    show: (event) => showSummary(emitterId, event),
  });
}

/** The answer of the legacy endpoint: whole events, without pages. */
export async function legacyEvents(
  events: StoredEventStore,
  { emitterId, stream, limit }: { emitterId: EmitterId; stream: StreamName; limit: number },
): Promise<Answer> {
  const chosen = (await events.latest(emitterId, stream)).slice(0, limit);
  const whole = await expanded(events, emitterId, { chosen, isUpwards: false });
  return all(whole.map(({ id, json }) => ({ id, e: new JsonText(json), k: 'emit', ts: positionOf(id).ms })));
}

const showSummary = (emitterId: EmitterId, event: StoredEvent) => ({
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

/** Bodies read concurrently. More would read bodies that the full page has no room for. */
const CONCURRENT_READS = 8;
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
      inOrder.slice(at, at + CONCURRENT_READS).map((event) => wholeOf(events, emitterId, event)),
    );
    for (const event of whole) {
      bytes += Buffer.byteLength(event.json) + FRAME_BYTES;
      if (bytes > LARGEST_PAGE_BYTES && kept.length > 0) break;
      kept.push(event);
    }
  }
  return isUpwards ? kept.reverse() : kept;
}

async function wholeOf(
  events: StoredEventStore,
  emitterId: EmitterId,
  event: StoredEvent,
): Promise<StoredEvent> {
  if (!event.truncated) return event;
  const json = await events.whole(emitterId, event);
  // The body of an event that was trimmed meanwhile is missing: answer with its summary.
  return { ...event, json, truncated: json === event.json };
}
