import { useQuery } from '@tanstack/preact-query';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { getEvent, type StreamRef } from '../api/event-api.ts';
import { eventMs } from '../api/event-position.ts';
import type { ShownEvent } from '../api/wire.ts';
import { IdLine } from '../components/id-line.tsx';
import { ErrorText } from '../components/refusal.tsx';
import { Time } from '../components/time.tsx';
import { OPENED_EVENT, useAddressFilter } from '../hooks/use-address-filter.ts';
import { JsonView } from '../json/json-view.tsx';
import { DeliveryList } from './delivery-list.tsx';
import { EventLine } from './event-line.tsx';
import { type RunTrace, traceOfEvent } from './trace-of-run.ts';
import { isSourceRun, runHref } from './run-href.ts';
import { RunTraceView } from './run-trace-view.tsx';

interface EventEntryProps {
  event: ShownEvent;
  stream: StreamRef;
  traces: readonly RunTrace[];
}

/** One event of a list. Its button shows the whole event, and `?event=` opens it. */
export function EventEntry({ event, stream, traces }: EventEntryProps) {
  const [linkedId, setLinkedId] = useAddressFilter(OPENED_EVENT, { typed: true });
  const isLinked = linkedId === event.id;
  const [isOpen, setOpen] = useState(isLinked);
  const panelId = useId();
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isLinked) item.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <li ref={item}>
      <button
        type="button"
        class="event"
        aria-expanded={isOpen}
        aria-controls={isOpen ? panelId : undefined}
        onClick={() => {
          setOpen(!isOpen);
          setLinkedId(isOpen ? '' : event.id);
        }}
      >
        <Time ms={eventMs(event.id)} />
        <EventLine event={event} stream={stream.stream} />
      </button>
      {isOpen && (
        <div id={panelId} class="event-panel stack">
          <WholeEvent event={event} stream={stream} traces={traces} />
        </div>
      )}
    </li>
  );
}

function WholeEvent({ event, stream, traces }: EventEntryProps) {
  const whole = useQuery({
    queryKey: ['event', stream, event.id],
    queryFn: ({ signal }) => getEvent(stream, event.id, signal),
  });
  const { json, metadata } = whole.data ?? event;
  const trace = whole.isLoading ? undefined : traceOfEvent(traces, event.id, whole.data?.trigger_id);
  const runId = whole.data?.trigger_id ?? trace?.runId;
  return (
    <>
      {whole.error && <ErrorText error={whole.error} />}
      <JsonView json={json} label="Event data" />
      <dl class="facts">
        <dt>Event</dt>
        <dd>
          <IdLine name="event id">{event.id}</IdLine>
        </dd>
        <dt>Emit</dt>
        <dd>
          <IdLine name="emit id">{metadata.emit_id}</IdLine>
        </dd>
        {whole.data?.trigger_id != null && (
          <>
            <dt>Trigger</dt>
            <dd>
              <IdLine name="trigger id">{whole.data.trigger_id}</IdLine>
            </dd>
          </>
        )}
      </dl>
      {isSourceRun(stream.emitterId, runId) && <a href={runHref(stream.emitterId, runId)}>Its run</a>}
      {trace && <RunTraceView sourceId={stream.emitterId} trace={trace} />}
      {whole.data && whole.data.deliveries.length > 0 && (
        <div class="stack">
          <h2 class="minor">Deliveries</h2>
          <DeliveryList deliveries={whole.data.deliveries} />
        </div>
      )}
    </>
  );
}
