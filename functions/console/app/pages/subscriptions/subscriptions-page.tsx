import { useQuery } from '@tanstack/preact-query';
import { useMemo } from 'preact/hooks';
import { Allowed } from '../../api/rights.tsx';
import { listAutoSubscriptions } from '../../api/auto-subscription-api.ts';
import { listSubscriptions } from '../../api/subscription-api.ts';
import type { Subscription } from '../../api/wire.ts';
import { MoreButton } from '../../components/buttons/more-button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ListCount } from '../../components/list-count.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { PauseButton } from '../../components/buttons/pause-button.tsx';
import { SearchBox } from '../../components/search-box.tsx';
import { useAddressFilter } from '../../hooks/use-address-filter.ts';
import { type Directory, useDirectory } from '../../hooks/use-directory.ts';
import { useLive } from '../../hooks/use-live.ts';
import { useShownRows } from '../../lists/use-whole-list.ts';
import { useSubscriptionForm } from '../../subscriptions/use-subscription-form.tsx';
import { AutoSubscriptionTable } from './auto-subscription-table.tsx';
import { SubscriptionMap } from './subscription-map.tsx';
import { SubscriptionTable } from './subscription-table.tsx';

/** A user can have 10,000 subscriptions, and the list has no pages. */
const POLL_MS = 20_000;
/** The map stands under the list. */
const ROWS = 20;

export function SubscriptionsPage() {
  const directory = useDirectory();
  const live = useLive(POLL_MS);
  const polled = { refetchInterval: live.interval, staleTime: live.interval || Infinity };
  const subscriptions = useQuery({ queryKey: ['subscriptions'], queryFn: listSubscriptions, ...polled });
  const autoSubscriptions = useQuery({ queryKey: ['auto-subscriptions'], queryFn: listAutoSubscriptions, ...polled });
  const { button, formWith } = useSubscriptionForm({ title: 'New subscription', action: 'Add subscription' });
  return (
    <Page
      title="Subscriptions"
      actions={
        <>
          {subscriptions.data?.data.length !== 0 && <PauseButton live={live} />}
          {button}
        </>
      }
    >
      <Loaded query={directory}>
        {(names) => (
          <>
            {formWith(names)}
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
    <Allowed>
      {hasEmitters ? (
        <p>Press New subscription, and choose an emitter and a listener.</p>
      ) : (
        <a class="button" href="/console/sources/new">
          Create the first source
        </a>
      )}
    </Allowed>
  </EmptyState>
);

function Subscriptions({ all, directory }: { all: readonly Subscription[]; directory: Directory }) {
  const [q, setQ] = useAddressFilter('q', { typed: true });
  const found = useMemo(() => all.filter((each) => matches(each, q.toLowerCase(), directory)), [all, q, directory]);
  const { shown, more } = useShownRows(found, ROWS, (limit) => 2 * limit);
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
          <ListCount shown={shown.length} total={found.length} one="subscription" many="subscriptions" />
          <SubscriptionTable rows={shown} directory={directory} />
          <MoreButton query={more} isAutomatic={false} />
          <SubscriptionMap subscriptions={found} directory={directory} />
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
