import { rawElements, rawMembers } from '../../../../shared/lib/raw-json.ts';
import { READABLE_EVENTS } from './readable-events.ts';
import { request, requestText, segment } from './request.ts';
import type { EventSummary, Listed, ShownEvent, ShownWholeEvent } from './wire.ts';

/** A stream of a source or a workflow. */
export interface StreamRef {
  emitterId: string;
  /** Absent and empty: the default stream. */
  stream?: string;
  /** JSON text of an event pattern. */
  filter?: string;
}

export const pathOfEmitter = (emitterId: string): string =>
  `/${emitterId.startsWith('p_') ? 'workflows' : 'sources'}/${segment(emitterId)}`;

interface ListEventsOptions {
  before?: string | undefined;
  limit?: number;
  /** Data above 1 KB is shortened without it. */
  isWhole?: boolean;
  signal?: AbortSignal;
}

/** The last events of a stream, newest first, or those after a position. */
export async function listEvents(
  { emitterId, stream, filter }: StreamRef,
  { before, limit = READABLE_EVENTS, isWhole = false, signal }: ListEventsOptions = {},
): Promise<ShownEvent[]> {
  const text = await requestText(`${pathOfEmitter(emitterId)}/event_summaries`, {
    query: {
      limit,
      before,
      expand: isWhole ? 'event' : undefined,
      event_name: stream || undefined,
      filter: filter || undefined,
    },
    signal,
  });
  return shownEvents(text);
}

export async function getEvent(
  { emitterId, stream }: StreamRef,
  eventId: string,
  signal?: AbortSignal,
): Promise<ShownWholeEvent> {
  const text = await requestText(`${pathOfEmitter(emitterId)}/events/${segment(eventId)}`, {
    query: { event_name: stream || undefined },
    signal,
  });
  const response: { data: Omit<ShownWholeEvent, 'json'> } = JSON.parse(text);
  return { ...response.data, json: rawMembers(rawMembers(text).get('data') ?? '{}').get('event') ?? '{}' };
}

/** The readable events with an id, of any emitter. */
export const getEventsById = async (eventId: string, signal?: AbortSignal): Promise<ShownEvent[]> =>
  shownEvents(await requestText(`/users/me/events/${segment(eventId)}`, { signal }));

/** Accepts the deletion of all events of a stream. */
export const deleteEvents = ({ emitterId, stream }: StreamRef): Promise<unknown> =>
  request('DELETE', `/sources/${segment(emitterId)}/events`, { query: { event_name: stream || 'default' } });

function shownEvents(text: string): ShownEvent[] {
  const { data }: Listed<EventSummary> = JSON.parse(text);
  const texts = rawElements(rawMembers(text).get('data') ?? '[]');
  return data.map((event, n) => ({ ...event, json: rawMembers(texts[n] ?? '{}').get('event') ?? '{}' }));
}
