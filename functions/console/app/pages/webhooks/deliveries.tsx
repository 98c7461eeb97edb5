import { useInfiniteQuery, useQueryClient } from '@tanstack/preact-query';
import { sentenceOf } from '../../api/refused-request.ts';
import { listDeliveries, redeliver } from '../../api/delivery-api.ts';
import { FIRST_PAGE, nextCursor } from '../../api/list-pages.ts';
import type { Delivery } from '../../api/wire.ts';
import { ActionButton } from '../../components/buttons/action-button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { MoreButton } from '../../components/buttons/more-button.tsx';
import { PauseButton } from '../../components/buttons/pause-button.tsx';
import { SelectFilter } from '../../components/select-filter.tsx';
import { Table } from '../../components/table.tsx';
import { Time, TimeOrDash } from '../../components/time.tsx';
import { useAddressFilter } from '../../hooks/use-address-filter.ts';
import { useLive } from '../../hooks/use-live.ts';
import { AttemptOutcome } from './attempt-text.tsx';
import { DeliveryStatus, STATUSES, streamName } from '../../events/delivery-status.tsx';

/** The deliveries of a webhook, newest first. */
export function Deliveries({ webhookId }: { webhookId: string }) {
  const [status, setStatus] = useAddressFilter('status');
  const live = useLive();
  const query = useInfiniteQuery({
    queryKey: ['deliveries', webhookId, status],
    queryFn: ({ pageParam }) => listDeliveries(webhookId, { status }, pageParam),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: nextCursor,
    refetchInterval: live.interval,
  });
  const shown = query.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <section class="stack" aria-labelledby="deliveries">
      <h2 id="deliveries">Deliveries</h2>
      <div class="filters">
        <SelectFilter
          label="Status"
          value={status}
          onChange={setStatus}
          all="All statuses"
          values={STATUSES}
        />
        <div class="actions">
          <RedeliverShown webhookId={webhookId} shown={shown} />
          <PauseButton live={live} />
        </div>
      </div>
      <Loaded query={query}>
        {() =>
          shown.length === 0 ? (
            <NoDeliveries webhookId={webhookId} status={status} />
          ) : (
            <DeliveryTable deliveries={shown} />
          )
        }
      </Loaded>
      <MoreButton query={query} />
    </section>
  );
}

const NoDeliveries = ({ webhookId, status }: { webhookId: string; status: string }) =>
  status === '' ? (
    <EmptyState title="No deliveries yet.">
      <p>Send a test, or subscribe the webhook to a source: its events appear here.</p>
      <a class="button" href={`/console/subscriptions?listener=${webhookId}`}>
        Subscribe it
      </a>
    </EmptyState>
  ) : (
    <EmptyState title={`No delivery is ${status}.`}>
      <a href={`/console/webhooks/${webhookId}`}>Show all deliveries</a>
    </EmptyState>
  );

/** Sends every shown delivery once more. The service refuses to repeat tests. */
function RedeliverShown({ webhookId, shown }: { webhookId: string; shown: readonly Delivery[] }) {
  const queries = useQueryClient();
  const again = shown.filter(({ event_name: stream }) => stream !== '$test');
  async function sendAgain(): Promise<string> {
    const refusals: unknown[] = [];
    for (const { id } of again)
      await redeliver(webhookId, id).catch((error: unknown) => {
        refusals.push(error);
      });
    await queries.invalidateQueries({ queryKey: ['deliveries', webhookId] });
    if (refusals.length > 0)
      throw new Error(
        `${again.length - refusals.length} of ${again.length} are sent again. ${sentenceOf(refusals[0])}`,
      );
    return `${again.length} ${again.length === 1 ? 'delivery is' : 'deliveries are'} sent again.`;
  }
  return (
    <ActionButton act={sendAgain} isDisabled={again.length === 0}>
      Redeliver shown
    </ActionButton>
  );
}

const DeliveryTable = ({ deliveries }: { deliveries: readonly Delivery[] }) => (
  <Table
    name="Deliveries"
    rows={deliveries}
    idOf={({ id }) => id}
    columns={[
      {
        name: 'Event',
        cell: ({ id, webhook_id: webhookId, event_name: stream, event_id: eventId, emit_id: emitId }) => (
          <>
            <a class="nowrap" href={`/console/webhooks/${webhookId}/deliveries/${id}`}>
              {eventId ?? emitId}
            </a>
            <span class="sub">{streamName(stream)}</span>
          </>
        ),
      },
      { name: 'Status', cell: ({ status }) => <DeliveryStatus status={status} /> },
      {
        name: 'Last attempt',
        cell: ({ last_attempt: last }) =>
          last === null ? <span class="muted">–</span> : <AttemptOutcome attempt={last} />,
      },
      { name: 'Attempts', kind: 'number', cell: ({ attempts }) => attempts },
      { name: 'Next attempt', kind: 'wide', cell: ({ next_attempt_ms: ms }) => <TimeOrDash ms={ms} /> },
      { name: 'Created', kind: 'wide', cell: ({ created_at_ms: ms }) => <Time ms={ms} /> },
    ]}
  />
);
