import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PauseButton } from '../../components/buttons/pause-button.tsx';
import { SelectFilter } from '../../components/select-filter.tsx';
import { useAddressFilter } from '../../hooks/use-address-filter.ts';
import { useEventFeed } from '../../hooks/use-event-feed.ts';
import { useLive } from '../../hooks/use-live.ts';
import { EventFilters } from '../../events/event-filters.tsx';
import { EventList } from '../../events/event-list.tsx';

/** The events that a workflow emitted, or its errors. */
export function WorkflowEvents({ id }: { id: string }) {
  const [stream, setStream] = useAddressFilter('stream');
  const live = useLive();
  const ref = { emitterId: id, stream };
  const events = useEventFeed(ref, { interval: live.interval, isLive: true });
  return (
    <section class="stack" aria-labelledby="events">
      <h2 id="events">Events</h2>
      <div class="filters">
        <EventFilters />
        <SelectFilter label="Stream" value={stream} onChange={setStream} all="default" values={['$errors']} />
        <div class="actions">
          <PauseButton live={live} />
        </div>
      </div>
      <Loaded query={events}>
        {({ events: shown }) => (
          <EventList
            events={shown}
            stream={ref}
            traces={[]}
            whenEmpty={
              <EmptyState title={stream === '$errors' ? 'No errors.' : 'No events yet.'}>
                <p>They come from the workflow, over the address above.</p>
              </EmptyState>
            }
          />
        )}
      </Loaded>
    </section>
  );
}
