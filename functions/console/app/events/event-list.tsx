import type { ComponentChildren } from 'preact';
import type { StreamRef } from '../api/event-api.ts';
import type { ShownEvent } from '../api/wire.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { ListCount } from '../components/list-count.tsx';
import { rangeOf } from '../components/times/time-range.ts';
import { useChosenTime } from '../components/times/time-range-filter.tsx';
import { useAddressFilter } from '../hooks/use-address-filter.ts';
import { useArrivals } from '../hooks/use-arrivals.ts';
import { useHasWebhooks } from '../hooks/use-has-webhooks.ts';
import { countText } from '../locale.ts';
import { EventEntry } from './event-entry.tsx';
import { searchedEvents } from './searched-events.ts';
import type { RunTrace } from './trace-of-run.ts';

interface EventListProps {
  events: readonly ShownEvent[];
  stream: StreamRef;
  traces: readonly RunTrace[];
  /** The filter that the events passed; `total` is undefined until it is known. */
  filter?: { total: number | undefined; clear: () => void } | undefined;
  /** Shown without events. */
  whenEmpty: ComponentChildren;
}

/** The events of a stream that the search and the times of the address let through. */
export function EventList({ events, stream, traces, filter, whenEmpty }: EventListProps) {
  const [search] = useAddressFilter('q');
  const range = rangeOf(useChosenTime(), Date.now());
  const hasWebhooks = useHasWebhooks(stream.emitterId);
  const listed = searchedEvents(events, { search, range, stream: stream.stream });
  const isSearched = listed.length < events.length;
  const hasArrived = useArrivals(listed.map(({ event }) => event.id));
  return (
    <div class="stack">
      {(events.length > 0 || filter) && (
        <div class="list-head">
          {(!filter || isSearched) && (
            <ListCount shown={listed.length} total={events.length} one="event" many="events" />
          )}
          {filter && (
            <button type="button" class="chip" onClick={filter.clear}>
              {countText(events.length)}
              {filter.total !== undefined && ` of ${countText(Math.max(filter.total, events.length))}`}
              <span class="hidden-text"> events match: remove the filter</span>
              <span aria-hidden="true">×</span>
            </button>
          )}
        </div>
      )}
      {events.length === 0 && whenEmpty}
      {events.length > 0 && listed.length === 0 && (
        <EmptyState title="No listed event matches.">
          <p>Change the search text or the times. The search looks in the last 100 events of the stream.</p>
        </EmptyState>
      )}
      {listed.length > 0 && (
        <ul class="plain events" aria-label="Events">
          {listed.map(({ event, previous }) => (
            <EventEntry
              key={event.id}
              event={event}
              previous={previous}
              stream={stream}
              traces={traces}
              hasWebhooks={hasWebhooks}
              hasArrived={hasArrived(event.id)}
            />
          ))}
        </ul>
      )}
    </div>
  );
}
