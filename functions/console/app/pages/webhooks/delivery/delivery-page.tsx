import { useQuery, useQueryClient } from '@tanstack/preact-query';
import { getDelivery, redeliver, type ShownDelivery } from '../../../api/delivery-api.ts';
import { getWebhook } from '../../../api/webhook-api.ts';
import { webhookName } from '../../../api/webhook-name.ts';
import type { Webhook } from '../../../api/wire.ts';
import { ActionButton } from '../../../components/buttons/action-button.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { EntryName } from '../../../components/entry-name.tsx';
import { About } from '../../../components/facts.tsx';
import { IdLine } from '../../../components/id-line.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { Page } from '../../../components/page.tsx';
import { Time, TimeOrDash } from '../../../components/time.tsx';
import { useLive } from '../../../hooks/use-live.ts';
import { useWide } from '../../../hooks/use-wide.ts';
import { JsonView } from '../../../json/json-view.tsx';
import { Attempts } from './attempts.tsx';
import { deliveryTitle } from './delivery-title.ts';
import { eventHref } from '../../../events/event-href.ts';
import { EventActions } from '../../../events/sending/event-actions.tsx';
import { DeliveryStatus } from '../../../events/delivery-status.tsx';
import { streamName } from '../../../events/stream-name.ts';

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
  const { data } = useQuery({ queryKey: ['webhook', webhookId], queryFn: () => getWebhook(webhookId) });
  const webhook = data?.data;
  const isWide = useWide();
  const name = webhook ? webhookName(webhook) : webhookId;
  async function sendAgain(): Promise<string> {
    await redeliver(webhookId, id);
    await queries.invalidateQueries({ queryKey });
    return 'It is sent once more. The attempt appears below.';
  }
  return (
    <Page
      title={query.data ? deliveryTitle(query.data, name) : 'Delivery'}
      section="Webhooks"
      between={[`/console/webhooks/${webhookId}`, name]}
      here="Delivery"
      mark={query.data && <DeliveryStatus status={query.data.status} />}
      about={<IdLine name="id">{id}</IdLine>}
      actions={
        <ActionButton isMain act={sendAgain}>
          Redeliver
        </ActionButton>
      }
    >
      <Loaded query={query}>
        {(delivery) => {
          const event = (
            <div key="event" class="event-and-facts">
              <EventData delivery={delivery} webhook={webhook} />
              <DeliveryFacts delivery={delivery} />
            </div>
          );
          const attempts = <Attempts key="attempts" delivery={delivery} webhook={webhook} />;
          // The first screen has the failure.
          return isWide ? [event, attempts] : [attempts, event];
        }}
      </Loaded>
    </Page>
  );
}

function DeliveryFacts({ delivery }: { delivery: ShownDelivery }) {
  const { emitter_id: emitterId, event_id: eventId, event_name: stream } = delivery;
  return (
    <About
      facts={[
        ['Emitter', emitterId === null ? 'A test of the webhook' : <EntryName id={emitterId} />],
        ['Stream', streamName(stream)],
        [
          'Event',
          emitterId === null || eventId === null ? (
            '–'
          ) : (
            <span class="row">
              <IdLine name="event id">{eventId}</IdLine>
              <a href={eventHref({ emitterId, stream, eventId })}>Open the event</a>
            </span>
          ),
        ],
        ['webhook-id', <IdLine name="webhook-id">{delivery.emit_id}</IdLine>],
        ['Created', <Time ms={delivery.created_at_ms} />],
        ['Next attempt', <TimeOrDash ms={delivery.next_attempt_ms} />],
      ]}
    />
  );
}

function EventData({ delivery, webhook }: { delivery: ShownDelivery; webhook: Webhook | undefined }) {
  const { json, webhook_id: webhookId } = delivery;
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
            address={webhook?.url}
          />
        </>
      )}
    </section>
  );
}
