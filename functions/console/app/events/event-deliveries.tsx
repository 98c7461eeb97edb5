import type { ShownWholeEvent } from '../api/wire.ts';
import { EntryName } from '../components/entry-name.tsx';
import { DeliveryStatus } from './delivery-status.tsx';

/** The deliveries of one event to webhooks. */
export const EventDeliveries = ({ deliveries }: Pick<ShownWholeEvent, 'deliveries'>) => (
  <ul class="plain event-deliveries" aria-label="Deliveries">
    {deliveries.map(({ delivery_id: id, webhook_id: webhookId, status, attempts }) => (
      <li key={id}>
        <DeliveryStatus status={status} />
        <EntryName id={webhookId} />
        <a href={`/console/webhooks/${webhookId}/deliveries/${id}`}>
          {attempts === 1 ? '1 attempt' : `${attempts} attempts`}
        </a>
      </li>
    ))}
  </ul>
);
