import { useQuery, useQueryClient } from '@tanstack/preact-query';
import { listEvents, type StreamRef } from '../api/event-api.ts';
import { newestFirst, eventMs } from '../api/event-position.ts';
import { READABLE_EVENTS } from '../api/readable-events.ts';
import { isRefusal } from '../api/refused-request.ts';
import type { ShownEvent } from '../api/wire.ts';
import { useLiveStream } from './use-live-stream.ts';

interface Feed {
  events: readonly ShownEvent[];
  polls: number;
}

interface FeedOptions {
  interval: number | false;
  /** Whether new events are shown at once. A browser has six connections to a service, so few feeds of a page may. */
  isLive?: boolean;
  limit?: number;
  isWhole?: boolean;
  /** Without it, nothing is read. */
  isOn?: boolean;
}

/**
 * A synchronous run may store an event below one that was readable before it. It answers within 25 s, so a poll begins
 * this far before the newest event.
 */
const OVERLAP_MS = 30_000;

/** A live feed polls less often: for events below the newest one, and for deletions. */
const LIVE_POLL_MS = 5_000;

/** After this many polls the whole stream is read, which shows deletions. */
const POLLS_TO_WHOLE = 20;
const LIVE_POLLS_TO_WHOLE = 4;

/** The last events of a stream, which go on coming. */
export function useEventFeed(
  ref: StreamRef,
  { interval, isLive = false, limit = READABLE_EVENTS, isWhole = false, isOn = true }: FeedOptions,
) {
  const queries = useQueryClient();
  const queryKey = ['events', ref, limit, isWhole];
  const pollMs = isLive && interval !== false ? LIVE_POLL_MS : interval;
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<Feed> => {
      const known = queries.getQueryData<Feed>(queryKey);
      const polls = (known?.polls ?? 0) + 1;
      const newest = known?.events[0];
      const readLast = async () => ({ events: await listEvents(ref, { limit, isWhole, signal }), polls });
      if (!known || !newest || polls % (isLive ? LIVE_POLLS_TO_WHOLE : POLLS_TO_WHOLE) === 0) return readLast();
      const before = `${Math.max(0, eventMs(newest.id) - OVERLAP_MS)}-0`;
      const read = await listEvents(ref, { before, limit, isWhole, signal });
      // A full page is the oldest part of the new events. The list shows the newest part.
      if (read.length >= limit) return readLast();
      return { events: merged(known.events, read).slice(0, limit), polls };
    },
    enabled: isOn,
    refetchInterval: ({ state: { error } }) => !isRefusal(error) && pollMs,
    staleTime: pollMs || 0,
    refetchOnWindowFocus: pollMs !== false,
    // Comparing every event with every earlier one would take longer than showing them.
    structuralSharing: false,
  });
  useLiveStream(ref, {
    isOn: isLive && interval !== false && query.isSuccess,
    positionOf: () => queries.getQueryData<Feed>(queryKey)?.events[0]?.id ?? '0-0',
    onEvents: () => query.refetch(),
  });
  return query;
}

function merged(known: readonly ShownEvent[], read: readonly ShownEvent[]): readonly ShownEvent[] {
  const ids = new Set(known.map(({ id }) => id));
  const added = read.filter(({ id }) => !ids.has(id));
  return added.length === 0 ? known : [...added, ...known].sort(newestFirst);
}
