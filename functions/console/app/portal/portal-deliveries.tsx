import { useQuery, useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { getDelivery, listDeliveries, redeliver } from '../api/delivery-api.ts';
import { LONGEST_COUNT } from '../api/page-cursors.ts';
import type { Delivery, Webhook } from '../api/wire.ts';
import { ActionButton } from '../components/buttons/action-button.tsx';
import { MoreButton } from '../components/buttons/more-button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { ListCount } from '../components/list-count.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Modal } from '../components/modal.tsx';
import { SelectFilter } from '../components/select-filter.tsx';
import { Table } from '../components/table.tsx';
import { Ago } from '../components/times/ago.tsx';
import { AttemptOutcome } from '../events/attempt-text.tsx';
import { DeliveryStatus, STATUSES } from '../events/delivery-status.tsx';
import { streamName } from '../events/stream-name.ts';
import { useLive } from '../hooks/use-live.ts';
import { JsonView } from '../json/json-view.tsx';
import { useList } from '../lists/use-list.ts';
import { Attempts } from '../pages/webhooks/delivery/attempts.tsx';
import { RecoverDialog } from '../pages/webhooks/recover-dialog.tsx';

/** The deliveries of a webhook, newest first. */
export function PortalDeliveries({ webhook }: { webhook: Webhook }) {
  const { id } = webhook;
  const { interval } = useLive();
  const [status, setStatus] = useState('');
  const [open, setOpen] = useState<Delivery>();
  const [isRecovering, setRecovering] = useState(false);
  const { query, items, total } = useList({
    queryKey: ['deliveries', id, status],
    read: (after) => listDeliveries(id, { status }, after),
    interval,
  });
  return (
    <section class="stack" aria-labelledby="deliveries">
      <div class="section-header">
        <h2 id="deliveries">Deliveries</h2>
        <div class="actions">
          <button type="button" onClick={() => setRecovering(true)}>
            Recover…
          </button>
        </div>
      </div>
      <div class="filters">
        <SelectFilter label="Status" value={status} onChange={setStatus} all="All statuses" values={STATUSES} />
      </div>
      <Loaded query={query}>
        {() => (
          <>
            <ListCount shown={items.length} total={total} longest={LONGEST_COUNT} one="delivery" many="deliveries" />
            {items.length === 0 ? (
              <EmptyState title={status === '' ? 'No deliveries yet.' : `No delivery is ${status}.`}>
                <p>Send a test: it appears here.</p>
              </EmptyState>
            ) : (
              <DeliveryRows deliveries={items} onOpen={setOpen} />
            )}
          </>
        )}
      </Loaded>
      <MoreButton query={query} isAutomatic />
      <Modal isWide isOpen={open !== undefined} title="Delivery" onClose={() => setOpen(undefined)}>
        {open && <OneDelivery delivery={open} webhook={webhook} onClose={() => setOpen(undefined)} />}
      </Modal>
      <RecoverDialog webhookId={id} isOpen={isRecovering} onClose={() => setRecovering(false)} />
    </section>
  );
}

interface DeliveryRowsProps {
  deliveries: readonly Delivery[];
  onOpen: (delivery: Delivery) => void;
}

const DeliveryRows = ({ deliveries, onOpen }: DeliveryRowsProps) => (
  <Table
    name="Deliveries"
    rows={deliveries}
    idOf={({ id }) => id}
    columns={[
      {
        name: 'Event',
        cell: (delivery) => (
          <button type="button" class="quiet opener" onClick={() => onOpen(delivery)}>
            {delivery.event_id ?? 'Test'}
          </button>
        ),
      },
      { name: 'Type', cell: ({ event_name: stream }) => streamName(stream) },
      { name: 'Status', cell: ({ status }) => <DeliveryStatus status={status} /> },
      {
        name: 'Last attempt',
        cell: ({ last_attempt: last }) => (last === null ? '–' : <AttemptOutcome attempt={last} />),
      },
      { name: 'Attempts', kind: 'number', cell: ({ attempts }) => attempts },
      { name: 'Created', kind: 'wide', cell: ({ created_at_ms: ms }) => <Ago ms={ms} /> },
    ]}
  />
);

interface OneDeliveryProps {
  delivery: Delivery;
  webhook: Webhook;
  onClose: () => void;
}

function OneDelivery({
  delivery: { id, webhook_id: webhookId, event_name: stream },
  webhook,
  onClose,
}: OneDeliveryProps) {
  const queries = useQueryClient();
  const { interval } = useLive();
  const query = useQuery({
    queryKey: ['delivery', webhookId, id],
    queryFn: () => getDelivery(webhookId, id),
    refetchInterval: interval,
  });
  async function sendAgain(): Promise<string> {
    await redeliver(webhookId, id);
    await queries.invalidateQueries({ queryKey: ['deliveries', webhookId] });
    return 'It is sent once more.';
  }
  return (
    <Loaded query={query}>
      {(delivery) => (
        <>
          <Attempts delivery={delivery} webhook={webhook} />
          {delivery.json === undefined ? (
            <p class="muted">The event is no longer stored.</p>
          ) : (
            <>
              <h2>Event</h2>
              <JsonView json={delivery.json} label="Event" />
            </>
          )}
          <div class="actions end">
            <button type="button" onClick={onClose}>
              Close
            </button>
            {/* The dialog closes first: the notice stands behind it. A test is not repeated. */}
            <ActionButton isDisabled={stream === '$test'} act={() => sendAgain().finally(onClose)}>
              Redeliver
            </ActionButton>
          </div>
        </>
      )}
    </Loaded>
  );
}
