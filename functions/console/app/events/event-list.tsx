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
export const EventList = ({ whenEmpty, ...props }: EventListProps) =>
  props.events.length === 0 ? <>{whenEmpty}</> : <Listed {...props} />;

function Listed({ events, stream, traces }: Omit<EventListProps, 'whenEmpty'>) {
  const [search] = useAddressFilter('q');
  const range = rangeOf(useChosenTime(), Date.now());
  const hasWebhooks = useHasWebhooks(stream.emitterId);
  const listed = searchedEvents(events, { search, range, stream: stream.stream });
  return (
    <div class="stack">
      <div class="list-head">
        <ListCount shown={listed.length} total={events.length} one="event" many="events" />
      </div>
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
    </div>
  );
}
