import type { ComponentChildren } from 'preact';
import type { StreamRef } from '../api/event-api.ts';
import type { ShownEvent } from '../api/wire.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { ListCount } from '../components/list-count.tsx';
import { rangeOf } from '../components/times/time-range.ts';
import { useChosenTime } from '../components/times/time-range-filter.tsx';
import { useAddressFilter } from '../hooks/use-address-filter.ts';
import { useHasWebhooks } from '../hooks/use-has-webhooks.ts';
import { EventEntry } from './event-entry.tsx';
import { searchedEvents } from './searched-events.ts';
import type { RunTrace } from './trace-of-run.ts';

interface EventListProps {
  events: readonly ShownEvent[];
  stream: StreamRef;
  traces: readonly RunTrace[];
  /** Shown without events. */
  whenEmpty: ComponentChildren;
}

/** The events of a stream that the search and the times of the address let through. */
export function EventList({ events, stream, traces, whenEmpty }: EventListProps) {
  const [search] = useAddressFilter('q');
  const chosen = useChosenTime();
  const hasWebhooks = useHasWebhooks(stream.emitterId);
  if (events.length === 0) return <>{whenEmpty}</>;
  const range = rangeOf(chosen, Date.now());
  const listed = searchedEvents(events, { search, range, stream: stream.stream });
  return (
    <>
      <ListCount shown={listed.length} total={events.length} one="event" many="events" />
      {listed.length === 0 ? (
        <EmptyState title="No listed event matches.">
          <p>Change the search text or the times. The search looks in the last 100 events of the stream.</p>
        </EmptyState>
      ) : (
        <ul class="plain events" aria-label="Events">
          {listed.map(({ event, previous }) => (
            <EventEntry
              key={event.id}
              event={event}
              previous={previous}
              stream={stream}
              traces={traces}
              hasWebhooks={hasWebhooks}
            />
          ))}
        </ul>
      )}
    </>
  );
}
