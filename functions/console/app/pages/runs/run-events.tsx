import type { Run, ShownWholeEvent } from '../../api/wire.ts';
import { eventMs } from '../../api/event-position.ts';
import { Badge } from '../../components/badge.tsx';
import { EntryName } from '../../components/entry-name.tsx';
import { Time } from '../../components/time.tsx';
import { EventLine } from '../../events/event-line.tsx';
import { OPENED_EVENT } from '../../hooks/use-address-filter.ts';
import { hrefOf } from '../../hooks/use-directory.ts';
import { JsonView } from '../../json/json-view.tsx';

interface RunEventsProps {
  sourceId: string;
  run: Run;
  events: readonly ShownWholeEvent[];
}

/** The events of a run on the default stream, each with its deliveries. */
export function RunEvents({ sourceId, run, events }: RunEventsProps) {
  const elsewhere = run.emitted - events.length;
  return (
    <section class="stack" aria-labelledby="run-events">
      <h2 id="run-events">Events</h2>
      {events.map((event) => (
        <RunEvent key={event.id} sourceId={sourceId} event={event} />
      ))}
      {run.ended_at_ms === null && <p class="hint">Events appear when the run has ended.</p>}
      {run.ended_at_ms !== null && run.emitted === 0 && <p class="hint">The run emitted nothing.</p>}
      {elsewhere > 0 && (
        <p class="hint">
          {elsewhere === 1 ? '1 event is' : `${elsewhere} events are`} not listed here: on other streams, no
          longer among the last 100, or of a run without a log.{' '}
          <a href={hrefOf(sourceId)}>All events of the source</a>
        </p>
      )}
    </section>
  );
}

const RunEvent = ({ sourceId, event }: { sourceId: string; event: ShownWholeEvent }) => (
  <article class="card stack" aria-label={`Event ${event.id}`}>
    <div class="row">
      <Time ms={eventMs(event.id)} />
      <EventLine event={event} />
    </div>
    <JsonView json={event.json} label="Event data" />
    {event.deliveries.length === 0 ? (
      <p class="hint">No webhook has it.</p>
    ) : (
      <ul class="plain" aria-label="Deliveries">
        {event.deliveries.map(({ delivery_id: id, webhook_id: webhookId, status, attempts }) => (
          <li key={id} class="row">
            <Badge tone={status === 'delivered' ? 'ok' : 'warn'}>{status}</Badge>
            <EntryName id={webhookId} />
            <a href={`/console/webhooks/${webhookId}/deliveries/${id}`}>
              {attempts === 1 ? '1 attempt' : `${attempts} attempts`}
            </a>
          </li>
        ))}
      </ul>
    )}
    <a href={`${hrefOf(sourceId)}?${OPENED_EVENT}=${event.id}`}>Open among the events</a>
  </article>
);
