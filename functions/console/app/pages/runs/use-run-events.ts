import { type Query, useQueries } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { getEvent } from '../../api/event-api.ts';
import { isMissing } from '../../api/refused-request.ts';
import type { Run, ShownWholeEvent } from '../../api/wire.ts';
import { isSettled } from '../../events/delivered-count.ts';
import type { RunTrace } from '../../events/trace-of-run.ts';
import { growingInterval } from '../../hooks/growing-interval.ts';
import { useEventFeed } from '../../hooks/use-event-feed.ts';
import { possibleEvents, isOfRun } from './events-of-run.ts';

type EventQuery = Query<ShownWholeEvent>;

interface RunEventsOptions {
  run: Run;
  traces: readonly RunTrace[];
  /** Whether the page goes on reading. */
  isFollowing: boolean;
}

export interface EventsOfRun {
  /** The events on the default stream, oldest first. */
  events: readonly ShownWholeEvent[];
  /** Whether all that may be events of the run were read. */
  isRead: boolean;
  error: unknown;
}

const LIST_POLL_MS = 1_000;
const EVENT_POLL = { firstMs: 1_000, longestMs: 5_000 };
/** A slow webhook's delivery is recorded after its first attempt, when those to others may be settled. */
const SETTLED_POLL_MS = 10_000;

/** The events of a run that has ended, with their deliveries as they go on. */
export function useRunEvents(sourceId: string, { run, traces, isFollowing }: RunEventsOptions): EventsOfRun {
  const stream = { emitterId: sourceId };
  const mayHaveEvents = run.ended_at_ms !== null && run.emitted > 0;
  const [areFound, setFound] = useState(false);
  const feed = useEventFeed(stream, {
    interval: isFollowing && !areFound ? LIST_POLL_MS : false,
    isOn: mayHaveEvents,
  });
  const isOwn = (event: ShownWholeEvent): boolean => isOfRun(run.id, event, traces);
  const reads = useQueries({
    queries: possibleEvents(run, feed.data?.events ?? []).map(({ id }) => ({
      queryKey: ['event', stream, id],
      queryFn: ({ signal }: { signal: AbortSignal }) => getEvent(stream, id, signal),
      // An event of another run is read once.
      staleTime: ({ state: { data } }: EventQuery) => (data && !isOwn(data) ? Infinity : 0),
      refetchInterval: ({ state }: EventQuery) => {
        if (!isFollowing || (state.data && !isOwn(state.data))) return false;
        return state.data && isSettled(state.data) ? SETTLED_POLL_MS : growingInterval(state, EVENT_POLL);
      },
    })),
  });
  const events = reads
    .flatMap(({ data }) => (data && isOwn(data) ? [data] : []))
    .sort((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }));
  const hasAll = events.length >= run.emitted;
  useEffect(() => setFound(hasAll), [hasAll]);
  return {
    events,
    isRead: !mayHaveEvents || (feed.data !== undefined && reads.every(({ isPending }) => !isPending)),
    // An event may be deleted after it was listed.
    error: feed.error ?? reads.find(({ error }) => error !== null && !isMissing(error))?.error,
  };
}
