import type { Delivery } from '../../../api/wire.ts';
import type { Chosen } from '../../../choosing/use-chosen.ts';
import { Table } from '../../../components/table.tsx';
import { Ago, AgoOrDash } from '../../../components/times/ago.tsx';
import { AttemptOutcome } from '../../../events/attempt-text.tsx';
import { DeliveryStatus } from '../../../events/delivery-status.tsx';
import { streamName } from '../../../events/stream-name.ts';

interface DeliveryTableProps {
  deliveries: readonly Delivery[];
  /** The line of an event; undefined when it is no longer stored, or not yet read. */
  lineOf: (delivery: Delivery) => string | undefined;
  emitterName: (id: string | null) => string;
  chosen: Chosen;
}

const eventIdOf = ({ event_id: eventId, emit_id: emitId }: Delivery): string => eventId ?? emitId;

export const DeliveryTable = ({ deliveries, lineOf, emitterName, chosen }: DeliveryTableProps) => (
  <Table
    name="Deliveries"
    rows={deliveries}
    idOf={({ id }) => id}
    choice={{ chosen, nameOf: eventIdOf }}
    columns={[
      {
        name: 'Event',
        cell: (delivery) => (
          <div class="delivery-line">
            <span class="entry" title={lineOf(delivery)}>
              {lineOf(delivery) ?? (delivery.event_id === null ? 'Sent by hand' : emitterName(delivery.emitter_id))}
            </span>
            <span class="sub">
              <a href={`/console/webhooks/${delivery.webhook_id}/deliveries/${delivery.id}`}>{eventIdOf(delivery)}</a>{' '}
              <span>{streamName(delivery.event_name)}</span>
              {delivery.emitter_id !== null && <span>{` · ${emitterName(delivery.emitter_id)}`}</span>}
            </span>
          </div>
        ),
      },
      { name: 'Status', cell: ({ status }) => <DeliveryStatus status={status} /> },
      {
        name: 'Last attempt',
        cell: ({ last_attempt: last }) =>
          last === null ? <span class="muted">–</span> : <AttemptOutcome attempt={last} />,
      },
      { name: 'Attempts', kind: 'number', cell: ({ attempts }) => attempts },
      { name: 'Next attempt', kind: 'widest', cell: ({ next_attempt_ms: ms }) => <AgoOrDash ms={ms} /> },
      { name: 'Created', kind: 'wider', cell: ({ created_at_ms: ms }) => <Ago ms={ms} /> },
    ]}
  />
);
