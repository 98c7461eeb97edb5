import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { listAutoSubscriptions } from '../../api/auto-subscription-api.ts';
import { listSubscriptions } from '../../api/subscription-api.ts';
import type { Subscription } from '../../api/wire.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { PauseButton } from '../../components/buttons/pause-button.tsx';
import { SearchBox } from '../../components/search-box.tsx';
import { useAddressFilter } from '../../hooks/use-address-filter.ts';
import { type Directory, useDirectory } from '../../hooks/use-directory.ts';
import { useLive } from '../../hooks/use-live.ts';
import { SubscriptionForm } from '../../subscriptions/subscription-form.tsx';
import { AutoSubscriptionTable } from './auto-subscription-table.tsx';
import { SubscriptionGraph } from './subscription-graph.tsx';
import { SubscriptionTable } from './subscription-table.tsx';
import { countText } from '../../locale.ts';

/** A user can have 10,000 subscriptions, and the list has no pages. */
const POLL_MS = 20_000;
/** A browser lays out this many rows at once without a pause that a person notices. */
const ROWS = 100;

export function SubscriptionsPage() {
  const directory = useDirectory();
  const live = useLive(POLL_MS);
  const subscriptions = useQuery({
    queryKey: ['subscriptions'],
    queryFn: listSubscriptions,
    refetchInterval: live.interval,
  });
  const autoSubscriptions = useQuery({
    queryKey: ['auto-subscriptions'],
    queryFn: listAutoSubscriptions,
    refetchInterval: live.interval,
  });
  return (
    <Page title="Subscriptions" actions={<PauseButton live={live} />}>
      <Loaded query={directory}>
        {(names) => (
          <>
            <SubscriptionForm directory={names} title="New subscription" action="Add subscription" />
            <Loaded query={subscriptions}>
              {({ data: all }) =>
                all.length === 0 ? (
                  <NoSubscriptions hasEmitters={names.sources.length + names.workflows.length > 0} />
                ) : (
                  <Subscriptions all={all} directory={names} />
                )
              }
            </Loaded>
            <Loaded query={autoSubscriptions} rows={1}>
              {({ data: rows }) => rows.length > 0 && <AutoSubscriptionTable rows={rows} directory={names} />}
            </Loaded>
          </>
        )}
      </Loaded>
    </Page>
  );
}

const NoSubscriptions = ({ hasEmitters }: { hasEmitters: boolean }) => (
  <EmptyState title="No subscriptions yet.">
    <p>A subscription carries the events of a source or a workflow to a webhook, to another source or to a workflow.</p>
    {hasEmitters ? (
      <p>Choose an emitter and a listener above.</p>
    ) : (
      <a class="button" href="/console/sources/new">
        Create the first source
      </a>
    )}
  </EmptyState>
);

function Subscriptions({ all, directory }: { all: readonly Subscription[]; directory: Directory }) {
  const [q, setQ] = useAddressFilter('q', { typed: true });
  const [limit, setLimit] = useState(ROWS);
  const found = all.filter((each) => matches(each, q.toLowerCase(), directory));
  return (
    <>
      <div class="filters">
        <SearchBox value={q} onChange={setQ} placeholder="Name, id or stream" />
      </div>
      {found.length === 0 ? (
        <EmptyState title="No subscription matches.">
          <p>Change the search text. It looks in names, ids and streams.</p>
        </EmptyState>
      ) : (
        <>
          <SubscriptionGraph subscriptions={found} directory={directory} />
          <SubscriptionTable rows={found.slice(0, limit)} directory={directory} />
          {found.length > limit && (
            <div class="row">
              <button type="button" onClick={() => setLimit(limit * 2)}>
                Show more
              </button>
              <span class="hint">
                {countText(limit)} of {countText(found.length)}
              </span>
            </div>
          )}
        </>
      )}
    </>
  );
}

const matches = (subscription: Subscription, text: string, { entryOf }: Directory): boolean =>
  text === '' ||
  [
    subscription.emitter_id,
    subscription.listener_id,
    subscription.event_name,
    entryOf(subscription.emitter_id).name,
    entryOf(subscription.listener_id).name,
  ].some((value) => value.toLowerCase().includes(text));
