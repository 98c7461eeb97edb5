import { useRef } from 'preact/hooks';
import { Allowed } from '../../api/rights.tsx';
import type { Source } from '../../api/wire.ts';
import { CopyLine } from '../../components/commands/copy-line.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar, useFilterCount } from '../../events/filter-bar.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PauseButton } from '../../components/buttons/pause-button.tsx';
import { ErrorText } from '../../components/refusal.tsx';
import { SelectFilter } from '../../components/select-filter.tsx';
import { useAddressFilter } from '../../hooks/use-address-filter.ts';
import { useEventFeed } from '../../hooks/use-event-feed.ts';
import { useLive } from '../../hooks/use-live.ts';
import { ClearStream } from './clear-stream.tsx';
import { curlLineOf } from './curl-line.ts';
import { EventFilters } from '../../events/event-filters.tsx';
import { EventList } from '../../events/event-list.tsx';
import { FilterBox } from './filter-box.tsx';
import type { RunTrace } from '../../events/trace-of-run.ts';
import { isSourceRun, runHref } from '../../events/run-href.ts';
import { RunTraceView } from '../../events/run-trace-view.tsx';
import { SourceFrame } from './source-frame.tsx';
import { hasOnlyOwn, useStreams } from '../../subscriptions/use-streams.ts';
import { useRunTraces } from '../../events/use-run-traces.ts';

/** Logs and errors are read whole, so less often than events. */
const TRACE_POLL_MS = 2_000;

export const SourceEventsPage = ({ id = '' }: { id?: string }) => (
  <SourceFrame id={id}>{(source) => <Events source={source} />}</SourceFrame>
);

function Events({ source }: { source: Source }) {
  const filters = useFilterCount();
  const [stream, setStream] = useAddressFilter('stream');
  const [filter, setFilter] = useAddressFilter('filter', { typed: true });
  const streams = useStreams(stream, (emitter) => emitter === source.id || emitter === 'dc_*');
  const filterBox = useRef<HTMLInputElement>(null);
  const live = useLive();
  const ref = { emitterId: source.id, stream, filter };
  const events = useEventFeed(ref, { interval: live.interval, isLive: true });
  const unfiltered = useEventFeed(
    { ...ref, filter: '' },
    { interval: live.isPaused ? false : TRACE_POLL_MS, isOn: filter !== '' },
  );
  const { traces, error } = useRunTraces(source.id, { interval: live.isPaused ? false : TRACE_POLL_MS });
  const clearFilter = (): void => {
    setFilter('');
    // The chip that had the focus goes.
    filterBox.current?.focus();
  };
  const isBeforeFirst = events.data?.events.length === 0 && filters === 0 && hasOnlyOwn(streams);
  return (
    <>
      {!isBeforeFirst && (
        <FilterBar
          count={filters}
          actions={
            <>
              <PauseButton live={live} />
              <ClearStream streamRef={ref} />
            </>
          }
        >
          <EventFilters />
          <SelectFilter
            label="Stream"
            value={stream === 'default' ? '' : stream}
            onChange={setStream}
            all="default"
            values={streams}
          />
          <FilterBox box={filterBox} value={filter} onChange={setFilter} />
        </FilterBar>
      )}
      <div class={traces.length === 0 && error == null ? 'stack' : 'events-and-runs'}>
        <div class="stack">
          <Loaded query={events} rows={6}>
            {({ events: shown }) => (
              <EventList
                events={shown}
                stream={ref}
                traces={traces}
                filter={filter === '' ? undefined : { total: unfiltered.data?.events.length, clear: clearFilter }}
                whenEmpty={<NoEvents source={source} stream={stream} isFiltered={filter !== ''} />}
              />
            )}
          </Loaded>
        </div>
        <Runs sourceId={source.id} traces={traces} error={error} />
      </div>
    </>
  );
}

interface RunsProps {
  sourceId: string;
  traces: readonly RunTrace[];
  error: unknown;
}

const Runs = ({ sourceId, traces, error }: RunsProps) => (
  <aside class="stack runs" aria-label="Logs and errors">
    {traces.length > 0 && <h2>Logs and errors</h2>}
    {error != null && <ErrorText error={error} />}
    {traces.length === 0 ? (
      <p class="hint">No logs and no errors yet.</p>
    ) : (
      traces.map((trace) => (
        <RunTraceView
          key={trace.runId}
          sourceId={sourceId}
          trace={trace}
          href={isSourceRun(sourceId, trace.runId) ? runHref(sourceId, trace.runId) : undefined}
        />
      ))
    )}
  </aside>
);

function NoEvents({ source, stream, isFiltered }: { source: Source; stream: string; isFiltered: boolean }) {
  if (isFiltered)
    return (
      <EmptyState title="No event matches the filter.">
        <p>The filter is an event pattern, such as {'{"name": ["Ada"]}'}.</p>
      </EmptyState>
    );
  if (stream === '$errors' || stream === '$logs')
    return (
      <EmptyState title={stream === '$errors' ? 'No errors.' : 'No logs.'}>
        <p>
          {stream === '$errors'
            ? 'Errors that a run throws appear here.'
            : 'Texts that a run writes with console.log appear here.'}
        </p>
        <a href={`/console/sources/${source.id}`}>Show the events of the default stream</a>
      </EmptyState>
    );
  if (!source.active)
    return (
      <EmptyState title="No events yet.">
        <Allowed otherwise={<p>The source is disabled.</p>}>
          <p>The source is disabled. Choose Enable in its ⋯ menu, then send it a request or press Run.</p>
        </Allowed>
      </EmptyState>
    );
  const { endpoint_url: endpoint } = source;
  return (
    <EmptyState title="No events yet.">
      <Allowed needs="send" otherwise={<p>Each event is here a moment after it was emitted.</p>}>
        <p>
          {endpoint === null
            ? 'Press Run, or wait for the timer: each event is here a moment after it was emitted.'
            : 'Press Send a request, or send one to the endpoint.'}
        </p>
      </Allowed>
      {endpoint !== null && <CopyLine name="curl line">{curlLineOf(endpoint)}</CopyLine>}
    </EmptyState>
  );
}
