import { useQuery, useQueryClient } from '@tanstack/preact-query';
import { getDelivery, redeliver, type ShownDelivery } from '../../api/delivery-api.ts';
import { getWebhook } from '../../api/webhook-api.ts';
import { ActionButton } from '../../components/buttons/action-button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { EntryName } from '../../components/entry-name.tsx';
import { IdLine } from '../../components/id-line.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { Time, TimeOrDash } from '../../components/time.tsx';
import { useLive } from '../../hooks/use-live.ts';
import { JsonView } from '../../json/json-view.tsx';
import { Attempts } from './attempts.tsx';
import { eventHref } from '../../events/event-href.ts';
import { EventActions } from '../../events/sending/event-actions.tsx';
import { DeliveryStatus, streamName } from '../../events/delivery-status.tsx';

interface DeliveryPageProps {
  /** The webhook's id. */
  id?: string;
  deliveryId?: string;
}

export function DeliveryPage({ id: webhookId = '', deliveryId: id = '' }: DeliveryPageProps) {
  const queries = useQueryClient();
  const { interval } = useLive();
  const queryKey = ['delivery', webhookId, id];
  const query = useQuery({ queryKey, queryFn: () => getDelivery(webhookId, id), refetchInterval: interval });
  async function sendAgain(): Promise<string> {
    await redeliver(webhookId, id);
    await queries.invalidateQueries({ queryKey });
    return 'It is sent once more. The attempt appears below.';
  }
  return (
    <Page
      title="Delivery"
      mark={query.data && <DeliveryStatus status={query.data.status} />}
      about={
        <>
          <a href={`/console/webhooks/${webhookId}`}>Its webhook</a>
          <IdLine name="id">{id}</IdLine>
        </>
      }
      actions={
        <ActionButton isMain act={sendAgain}>
          Redeliver
        </ActionButton>
      }
    >
      <Loaded query={query}>
        {(delivery) => (
          <>
            <Facts delivery={delivery} />
            <Attempts delivery={delivery} />
            <EventData delivery={delivery} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Facts({ delivery }: { delivery: ShownDelivery }) {
  const { emitter_id: emitterId, event_id: eventId, emit_id: emitId, event_name: stream } = delivery;
  return (
    <section class="card" aria-label="About">
      <dl class="facts">
        <dt>Emitter</dt>
        <dd>{emitterId === null ? 'A test of the webhook' : <EntryName id={emitterId} />}</dd>
        <dt>Stream</dt>
        <dd>{streamName(stream)}</dd>
        <dt>Event</dt>
        <dd>
          {emitterId === null || eventId === null ? (
            '–'
          ) : (
            <span class="row">
              <IdLine name="event id">{eventId}</IdLine>
              <a href={eventHref({ emitterId, stream, eventId })}>Open the event</a>
            </span>
          )}
        </dd>
        <dt>webhook-id</dt>
        <dd>
          <IdLine name="webhook-id">{emitId}</IdLine>
        </dd>
        <dt>Created</dt>
        <dd>
          <Time ms={delivery.created_at_ms} />
        </dd>
        <dt>Next attempt</dt>
        <dd>
          <TimeOrDash ms={delivery.next_attempt_ms} />
        </dd>
      </dl>
    </section>
  );
}

function EventData({ delivery }: { delivery: ShownDelivery }) {
  const { json, webhook_id: webhookId } = delivery;
  const { data } = useQuery({ queryKey: ['webhook', webhookId], queryFn: () => getWebhook(webhookId) });
  return (
    <section class="stack" aria-labelledby="event">
      <h2 id="event">Event</h2>
      {json === undefined ? (
        <EmptyState title="The event is no longer stored.">
          <p>The last 100 events of a stream are kept, and the payload of a delivery until it is delivered.</p>
        </EmptyState>
      ) : (
        <>
          <JsonView json={json} label="Event" />
          <EventActions
            event={{
              json,
              emitId: delivery.emit_id,
              emitterId: delivery.emitter_id ?? undefined,
              eventId: delivery.event_id ?? undefined,
              stream: delivery.event_name,
            }}
            webhookId={webhookId}
            address={data?.data.url}
          />
        </>
      )}
    </section>
  );
}
