import { listEvents, type StreamRef } from '../api/event-api.ts';
import { eventMs } from '../api/event-position.ts';
import { everyPage } from '../api/list-pages.ts';
import { ApiError } from '../api/refused-request.ts';
import { listSubscriptions } from '../api/subscription-api.ts';
import type { ShownEvent, SourceItem, Workflow } from '../api/wire.ts';
import { firstFound } from './first-found.ts';
import { positionBefore } from './sought-id.ts';

export interface FoundEvent {
  event: ShownEvent;
  stream: StreamRef;
}

/** The time of a source's newest event may be a moment older than its list of events. */
const TOLERANCE_MS = 60_000;

/** Looks for an event in the last 100 of each stream that may have it: an id of an event does not name its emitter. */
export async function findEvent(id: string, signal: AbortSignal): Promise<FoundEvent | undefined> {
  const streams = await possibleStreams(eventMs(id));
  return firstFound(
    streams,
    async (stream) => {
      const [event] = await listEvents(stream, { before: positionBefore(id), limit: 1, signal }).catch(
        noneIfGone,
      );
      return event?.id === id ? { event, stream } : undefined;
    },
    signal,
  );
}

/** The emitter may be deleted meanwhile. */
function noneIfGone(error: unknown): readonly ShownEvent[] {
  if (error instanceof ApiError && error.status === 404) return [];
  throw error;
}

/** The streams, those first that most likely have an event of a time. */
async function possibleStreams(ms: number): Promise<StreamRef[]> {
  const [sources, workflows, subscriptions] = await Promise.all([
    everyPage<SourceItem>('/users/me/sources'),
    everyPage<Workflow>('/users/me/workflows'),
    listSubscriptions(),
  ]);
  const named = subscriptions.data.filter(
    ({ event_name: name }) => !['', 'default', '$errors', '$logs'].includes(name),
  );
  const isSince = (last: number | null): boolean => last !== null && last + TOLERANCE_MS >= ms;
  const later = sources
    .filter(({ last_event_ms: last }) => isSince(last))
    .sort((a, b) => (a.last_event_ms ?? 0) - (b.last_event_ms ?? 0));
  const failed = sources.filter(({ last_error_ms: last }) => isSince(last));
  return [
    ...later.map(({ id }) => ({ emitterId: id })),
    ...workflows.map(({ id }) => ({ emitterId: id })),
    ...failed.map(({ id }) => ({ emitterId: id, stream: '$errors' })),
    ...named.flatMap(({ emitter_id: emitter, event_name: stream }) =>
      emitter.endsWith('*')
        ? later.map(({ id }) => ({ emitterId: id, stream }))
        : [{ emitterId: emitter, stream }],
    ),
    ...workflows.map(({ id }) => ({ emitterId: id, stream: '$errors' })),
    ...sources.map(({ id }) => ({ emitterId: id, stream: '$logs' })),
  ];
}
