import { useQuery } from '@tanstack/preact-query';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { getEvent, type StreamRef } from '../api/event-api.ts';
import { eventMs } from '../api/event-position.ts';
import type { ShownEvent } from '../api/wire.ts';
import { Facts } from '../components/facts.tsx';
import { IdLine } from '../components/id-line.tsx';
import { ErrorText } from '../components/refusal.tsx';
import { Ago } from '../components/times/ago.tsx';
import { OPENED_EVENT, useAddressFilter } from '../hooks/use-address-filter.ts';
import { JsonView } from '../json/json-view.tsx';
import { EventDeliveries } from './event-deliveries.tsx';
import { EventActions } from './sending/event-actions.tsx';
import { EventDelivered } from './event-delivered.tsx';
import { EventDifference } from './event-difference.tsx';
import { EventLine } from './event-line.tsx';
import { type RunTrace, traceOfEvent } from './trace-of-run.ts';
import { isSourceRun, runHref } from './run-href.ts';
import { RunTraceView } from './run-trace-view.tsx';

interface WholeEventProps {
  event: ShownEvent;
  /** The event before it in its stream. */
  previous: ShownEvent | undefined;
  stream: StreamRef;
  traces: readonly RunTrace[];
}

interface EventEntryProps extends WholeEventProps {
  hasWebhooks: boolean;
  /** Whether it came while the list was shown. */
  hasArrived: boolean;
}

/** One event of a list. Its button shows the whole event, and `?event=` opens it. */
export function EventEntry({ hasWebhooks, hasArrived, ...props }: EventEntryProps) {
  const { event, stream } = props;
  const [linkedId, setLinkedId] = useAddressFilter(OPENED_EVENT, { typed: true });
  const isLinked = linkedId === event.id;
  const [isOpen, setOpen] = useState(isLinked);
  const panelId = useId();
  const item = useRef<HTMLLIElement>(null);
  useLayoutEffect(() => {
    if (isLinked) item.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <li ref={item} class={hasArrived ? 'event-row arrived' : 'event-row'}>
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
        <Ago ms={eventMs(event.id)} />
        <EventLine event={event} stream={stream.stream} />
      </button>
      {hasWebhooks && <EventDelivered stream={stream} eventId={event.id} />}
      {isOpen && (
        <div id={panelId} class="event-panel stack">
          <WholeEvent {...props} />
        </div>
      )}
    </li>
  );
}

function WholeEvent({ event, previous, stream, traces }: WholeEventProps) {
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
      {/* Without it, the data may be shortened. */}
      {whole.data && (
        <EventActions
          event={{
            json,
            emitId: metadata.emit_id,
            emitterId: stream.emitterId,
            eventId: event.id,
            stream: metadata.name,
          }}
          webhookId={whole.data.deliveries[0]?.webhook_id}
        />
      )}
      {whole.data && previous && <EventDifference stream={stream} json={json} previous={previous} />}
      <Facts
        facts={[
          ['Event', <IdLine name="event id">{event.id}</IdLine>],
          ['Emit', <IdLine name="emit id">{metadata.emit_id}</IdLine>],
          ['Trigger', whole.data?.trigger_id != null && <IdLine name="trigger id">{whole.data.trigger_id}</IdLine>],
        ]}
      />
      {isSourceRun(stream.emitterId, runId) && <a href={runHref(stream.emitterId, runId)}>Its run</a>}
      {trace && <RunTraceView sourceId={stream.emitterId} trace={trace} />}
      {whole.data && whole.data.deliveries.length > 0 && (
        <div class="stack">
          <h2 class="minor">Deliveries</h2>
          <EventDeliveries deliveries={whole.data.deliveries} />
        </div>
      )}
    </>
  );
}
