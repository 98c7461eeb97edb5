import { type Query, useQueries } from '@tanstack/preact-query';
import { listEvents } from '../api/event-api.ts';
import { newestFirst } from '../api/event-position.ts';
import { isRefusal } from '../api/refused-request.ts';
import type { Delivery, ShownEvent } from '../api/wire.ts';
import { lineOfEvent } from './line-of-event.ts';

/** Streams that are read for their lines. */
const MAX_STREAMS = 8;
const POLL_MS = 3_000;

type EventLines = (delivery: Delivery) => string | undefined;

interface StreamOfDeliveries {
  emitterId: string;
  stream: string;
  /** The newest event of its deliveries. */
  newest: string;
}

/**
 * The lines of the events of deliveries. A delivery names its event only, so the last events of each stream are read,
 * and again when a newer one is delivered.
 */
export function useEventLines(deliveries: readonly Delivery[]): EventLines {
  const streams = streamsOf(deliveries);
  const reads = useQueries({
    queries: streams.map(({ emitterId, stream, newest }) => ({
      queryKey: ['event-lines', emitterId, stream],
      queryFn: ({ signal }: { signal: AbortSignal }) => listEvents({ emitterId, stream }, { signal }),
      // The emitter may be gone, and the streams of a test are none.
      retry: false,
      staleTime: POLL_MS,
      refetchInterval: ({ state: { data, error } }: Query<ShownEvent[]>) =>
        isRefusal(error) || (data && hasRead(data, newest)) ? (false as const) : POLL_MS,
    })),
  });
  const lines = new Map<string, string>();
  for (const [n, { emitterId, stream }] of streams.entries())
    for (const event of reads[n]?.data ?? []) lines.set(`${emitterId} ${event.id}`, lineOfEvent(event, stream));
  return ({ emitter_id: emitterId, event_id: eventId }) => lines.get(`${emitterId ?? ''} ${eventId ?? ''}`);
}

const hasRead = ([first]: readonly ShownEvent[], newest: string): boolean =>
  first !== undefined && newestFirst(first, { id: newest }) <= 0;

function streamsOf(deliveries: readonly Delivery[]): readonly StreamOfDeliveries[] {
  const found = new Map<string, StreamOfDeliveries>();
  for (const { emitter_id: emitterId, event_id: eventId, event_name: stream } of deliveries) {
    const key = `${emitterId ?? ''} ${stream}`;
    if (emitterId === null || eventId === null || (!found.has(key) && found.size >= MAX_STREAMS)) continue;
    const known = found.get(key);
    if (!known || newestFirst({ id: eventId }, { id: known.newest }) < 0)
      found.set(key, { emitterId, stream, newest: eventId });
  }
  return [...found.values()];
}
