import { useQuery, type UseQueryResult } from '@tanstack/preact-query';
import { getActivity, getUser } from '../../api/user-api.ts';
import type { User } from '../../api/wire.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { PauseButton } from '../../components/buttons/pause-button.tsx';
import { useLive } from '../../hooks/use-live.ts';
import { ActivityPlot } from './activity-plot.tsx';
import { NeedsAttention } from './needs-attention.tsx';
import { Usage } from '../../components/usage.tsx';
import { hasQuota } from '../../components/quota.ts';
import { Totals } from './totals.tsx';

const MINUTES = 60;
const POLL_MS = 10_000;

export function OverviewPage() {
  const live = useLive(POLL_MS);
  const activity = useQuery({
    queryKey: ['activity', MINUTES],
    queryFn: () => getActivity(MINUTES),
    refetchInterval: live.interval,
  });
  const user = useQuery({ queryKey: ['user'], queryFn: getUser, refetchInterval: live.interval });
  return (
    <Page title="Overview" actions={<PauseButton live={live} />}>
      <Totals interval={live.interval} />
      <div class="attention-and-quota">
        <NeedsAttention interval={live.interval} />
        <Quota query={user} />
      </div>
      <div class="grid plots">
        <section class="card stack" aria-label="Events per minute">
          <h2>Events per minute</h2>
          <Loaded query={activity}>
            {({ data }) => (
              <ActivityPlot
                minutes={data}
                good={{ name: 'Events', of: ({ events }) => events }}
                bad={{ name: 'Errors', of: ({ errors }) => errors }}
                whenEmpty={
                  <>
                    No events in the last hour. <a href="/console/sources/new">Create a source</a> to get some.
                  </>
                }
              />
            )}
          </Loaded>
        </section>
        <section class="card stack" aria-label="Deliveries per minute">
          <h2>Deliveries per minute</h2>
          <Loaded query={activity}>
            {({ data }) => (
              <ActivityPlot
                minutes={data}
                good={{ name: 'Delivered', of: ({ delivered }) => delivered }}
                bad={{ name: 'Failed', of: ({ failed }) => failed }}
                whenEmpty={
                  <>
                    No deliveries in the last hour. <a href="/console/webhooks/new">Create a webhook</a> and a{' '}
                    <a href="/console/subscriptions">subscription</a> to get some.
                  </>
                }
              />
            )}
          </Loaded>
        </section>
      </div>
    </Page>
  );
}

/** Without a quota, the same section says what was used. */
function Quota({ query }: { query: UseQueryResult<{ data: User }> }) {
  const name = query.data && hasQuota(query.data.data) ? 'Quota used' : 'Used';
  return (
    <section class="card stack" aria-label={name}>
      <h2>{name}</h2>
      <Loaded query={query} rows={2}>
        {({ data }) => <Usage user={data} />}
      </Loaded>
    </section>
  );
}
