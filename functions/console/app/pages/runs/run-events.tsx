import type { Run, ShownWholeEvent } from '../../api/wire.ts';
import { eventMs } from '../../api/event-position.ts';
import { ErrorText } from '../../components/refusal.tsx';
import { Time } from '../../components/time.tsx';
import { EventDeliveries } from '../../events/event-deliveries.tsx';
import { EventLine } from '../../events/event-line.tsx';
import { OPENED_EVENT } from '../../hooks/use-address-filter.ts';
import { hrefOf } from '../../hooks/use-directory.ts';
import { JsonView } from '../../json/json-view.tsx';
import { eventsHint } from './run-texts.ts';
import type { EventsOfRun } from './use-run-events.ts';

interface RunEventsProps extends EventsOfRun {
  sourceId: string;
  run: Run;
}

/** The events of a run on the default stream, each with its deliveries. */
export function RunEvents({ sourceId, run, events, isRead, error }: RunEventsProps) {
  const hint = eventsHint(run, { listed: events.length, isRead });
  return (
    <section class="stack" aria-labelledby="run-events">
      <h2 id="run-events">Events</h2>
      {error != null && <ErrorText error={error} />}
      {events.map((event) => (
        <RunEvent key={event.id} sourceId={sourceId} event={event} />
      ))}
      {hint !== undefined && (
        <p class="hint">
          {hint} {run.emitted > events.length && <a href={hrefOf(sourceId)}>All events of the source</a>}
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
      <EventDeliveries deliveries={event.deliveries} />
    )}
    <a href={`${hrefOf(sourceId)}?${OPENED_EVENT}=${event.id}`}>Open among the events</a>
  </article>
);
