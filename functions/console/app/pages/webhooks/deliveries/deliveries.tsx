import { Allowed } from '../../../api/rights.tsx';
import { listDeliveries } from '../../../api/delivery-api.ts';
import type { Webhook } from '../../../api/wire.ts';
import { LONGEST_COUNT } from '../../../api/page-cursors.ts';
import { matchesText } from '../../../choosing/matches-text.ts';
import { useChosen } from '../../../choosing/use-chosen.ts';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ListCount } from '../../../components/list-count.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { MoreButton } from '../../../components/buttons/more-button.tsx';
import { PauseButton } from '../../../components/buttons/pause-button.tsx';
import { isBetween, rangeOf } from '../../../components/times/time-range.ts';
import { useEventLines } from '../../../events/use-event-lines.ts';
import { useDirectory } from '../../../hooks/use-directory.ts';
import { useLive } from '../../../hooks/use-live.ts';
import { useList } from '../../../lists/use-list.ts';
import { DeliveryFilters, type ShownFilter, useShownFilter } from './delivery-filters.tsx';
import { DeliveryTable } from './delivery-table.tsx';
import { isMissingDeliveries } from '../missed-deliveries.tsx';
import { RedeliverButton } from './redeliver-button.tsx';

interface DeliveriesProps {
  webhook: Webhook;
  /** Opens the dialog that recovers, for which a failing webhook has a button of its own. */
  onRecover: () => void;
}

/** The deliveries of a webhook, newest first. */
export function Deliveries({ webhook, onRecover }: DeliveriesProps) {
  const webhookId = webhook.id;
  const filter = useShownFilter();
  const live = useLive();
  const chosen = useChosen();
  const { q, chosenTime, ...filters } = filter;
  const {
    query,
    items: listed,
    total,
  } = useList({
    queryKey: ['deliveries', webhookId, filters, chosenTime],
    read: (after) => listDeliveries(webhookId, { ...filters, ...rangeOf(chosenTime, Date.now()) }, after),
    interval: live.interval,
    isKept: false,
  });
  const lineOf = useEventLines(listed);
  const { data: directory } = useDirectory();
  const emitterName = (id: string | null): string => (id === null ? 'test' : (directory?.entryOf(id).name ?? id));
  const shown = listed.filter((delivery) =>
    matchesText(
      [
        lineOf(delivery),
        emitterName(delivery.emitter_id),
        delivery.event_id,
        delivery.emit_id,
        delivery.id,
        delivery.event_name,
        delivery.status,
        delivery.last_attempt?.outcome,
        String(delivery.last_attempt?.status ?? ''),
      ],
      q,
    ),
  );
  // A row that is no longer shown is no longer chosen.
  const ticked = shown.filter(({ id }) => chosen.ids.has(id));
  return (
    <section class="stack" aria-label="Deliveries">
      <div class="section-header">
        <h2>Deliveries</h2>
        <div class="actions">
          <PauseButton live={live} />
          {ticked.length > 0 && (
            <RedeliverButton webhookId={webhookId} deliveries={ticked} onSent={chosen.untick}>
              {(count) => `Redeliver ${count} chosen`}
            </RedeliverButton>
          )}
          {!isMissingDeliveries(webhook) && (
            <Allowed>
              <button type="button" onClick={onRecover}>
                Recover…
              </button>
            </Allowed>
          )}
          <RedeliverButton webhookId={webhookId} deliveries={shown}>
            {() => 'Redeliver shown'}
          </RedeliverButton>
        </div>
      </div>
      <DeliveryFilters shown={filter} />
      <Loaded query={query}>
        {() => (
          <>
            <ListCount shown={shown.length} total={total} longest={LONGEST_COUNT} one="delivery" many="deliveries" />
            {shown.length === 0 ? (
              <NoDeliveries webhookId={webhookId} filter={filter} />
            ) : (
              <DeliveryTable deliveries={shown} lineOf={lineOf} emitterName={emitterName} chosen={chosen} />
            )}
          </>
        )}
      </Loaded>
      {/* A search looks through what is listed: it loads no more by itself. */}
      <MoreButton query={query} isAutomatic={q === ''} />
    </section>
  );
}

function NoDeliveries({ webhookId, filter }: { webhookId: string; filter: ShownFilter }) {
  const { status, chosenTime, ...others } = filter;
  const isOnlyStatus = Object.values({ ...others, ...chosenTime }).every((value) => value === '');
  if (isOnlyStatus && status === '')
    return (
      <EmptyState title="No deliveries yet.">
        <p>Send a test, or subscribe the webhook to a source: its events appear here.</p>
        <Allowed>
          <a class="button" href={`/console/subscriptions?listener=${webhookId}`}>
            Subscribe it
          </a>
        </Allowed>
      </EmptyState>
    );
  return (
    <EmptyState title={isOnlyStatus ? `No delivery is ${status}.` : 'No delivery matches.'}>
      {isBetween(chosenTime) && (
        <p>The times are those at which deliveries were created. Successful ones are listed for seven days.</p>
      )}
      <a href={`/console/webhooks/${webhookId}`}>Show all deliveries</a>
    </EmptyState>
  );
}
