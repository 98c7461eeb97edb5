import type { Workflow } from '../../api/wire.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar, useFilterCount } from '../../events/filter-bar.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PauseButton } from '../../components/buttons/pause-button.tsx';
import { SelectFilter } from '../../components/select-filter.tsx';
import { useAddressFilter } from '../../hooks/use-address-filter.ts';
import { useEventFeed } from '../../hooks/use-event-feed.ts';
import { useLive } from '../../hooks/use-live.ts';
import { EventFilters } from '../../events/event-filters.tsx';
import { EventList } from '../../events/event-list.tsx';
import { EmitLine } from './emit-line.tsx';
import { WorkflowFrame } from './workflow-frame.tsx';

export const WorkflowEventsPage = ({ id = '' }: { id?: string }) => (
  <WorkflowFrame id={id}>{(workflow) => <Events workflow={workflow} />}</WorkflowFrame>
);

/** The events that a workflow emitted, or its errors. */
function Events({ workflow }: { workflow: Workflow }) {
  const filters = useFilterCount();
  const [stream, setStream] = useAddressFilter('stream');
  const live = useLive();
  const ref = { emitterId: workflow.id, stream };
  const events = useEventFeed(ref, { interval: live.interval, isLive: true });
  const isBeforeFirst = events.data?.events.length === 0 && filters === 0;
  return (
    <>
      {!isBeforeFirst && (
        <FilterBar count={filters} actions={<PauseButton live={live} />}>
          <EventFilters />
          <SelectFilter label="Stream" value={stream} onChange={setStream} all="default" values={['$errors']} />
        </FilterBar>
      )}
      <Loaded query={events}>
        {({ events: shown }) => (
          <EventList
            events={shown}
            stream={ref}
            traces={[]}
            whenEmpty={
              stream === '$errors' ? (
                <EmptyState title="No errors.">
                  <p>Errors that the workflow reports appear here.</p>
                  <a href={`/console/workflows/${workflow.id}`}>Show the events of the default stream</a>
                </EmptyState>
              ) : (
                <EmptyState title="No events yet.">
                  <p>The workflow emits an event with this request:</p>
                  <EmitLine workflow={workflow} />
                  <a href={`/console/workflows/${workflow.id}?stream=%24errors`}>Show its errors</a>
                </EmptyState>
              )
            }
          />
        )}
      </Loaded>
    </>
  );
}
