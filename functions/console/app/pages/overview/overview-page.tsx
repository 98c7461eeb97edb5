import { useQuery } from '@tanstack/preact-query';
import { Allowed } from '../../api/rights.tsx';
import { readTotals } from '../../api/totals.ts';
import { getActivity, getUser } from '../../api/user-api.ts';
import type { User } from '../../api/wire.ts';
import { Page } from '../../components/page.tsx';
import { PauseButton } from '../../components/buttons/pause-button.tsx';
import { useLive } from '../../hooks/use-live.ts';
import { ActivityCard } from './activity-card.tsx';
import { NeedsAttention } from './needs-attention.tsx';
import { Usage } from '../../components/usage.tsx';
import { hasQuota } from '../../components/quota.ts';
import { ErrorText } from '../../components/refusal.tsx';
import { FirstSteps, isBeginning } from './first-steps.tsx';
import { TodayTiles } from './today-tiles.tsx';
import { TotalsLine } from './totals-line.tsx';

const MINUTES = 60;
const POLL_MS = 10_000;
const TOTALS_POLL_MS = 30_000;

export function OverviewPage() {
  const live = useLive(POLL_MS);
  const activity = useQuery({
    queryKey: ['activity', MINUTES],
    queryFn: () => getActivity(MINUTES),
    refetchInterval: live.interval,
  });
  const { data: user } = useQuery({ queryKey: ['user'], queryFn: getUser, refetchInterval: live.interval });
  const totals = useQuery({
    queryKey: ['totals'],
    queryFn: readTotals,
    refetchInterval: live.interval && TOTALS_POLL_MS,
  });
  const isEmpty = totals.data?.sources === 0 && totals.data.webhooks === 0;
  return (
    <Page
      title="Overview"
      // Nothing moves when they are read.
      about={totals.data ? <TotalsLine totals={totals.data} /> : '\u00A0'}
      actions={!isEmpty && <PauseButton live={live} />}
    >
      {totals.error != null && <ErrorText error={totals.error} />}
      <Allowed>{totals.data && isBeginning(totals.data) && <FirstSteps totals={totals.data} />}</Allowed>
      <TodayTiles interval={live.interval} />
      {user && hasQuota(user.data) && <Quota user={user.data} />}
      {!isEmpty && <NeedsAttention interval={live.interval} />}
      <div class="grid plots">
        <ActivityCard
          title="Events per minute"
          query={activity}
          good={{ name: 'Events', of: ({ events }) => events }}
          bad={{ name: 'Errors', of: ({ errors }) => errors }}
        >
          No events in the last hour.{' '}
          <Allowed>
            <a href="/console/sources/new">Create a source</a> to get some.
          </Allowed>
        </ActivityCard>
        <ActivityCard
          title="Deliveries per minute"
          query={activity}
          good={{ name: 'Delivered', of: ({ delivered }) => delivered }}
          bad={{ name: 'Failed', of: ({ failed }) => failed }}
        >
          No deliveries in the last hour.{' '}
          <Allowed>
            <a href="/console/webhooks/new">Create a webhook</a> and a <a href="/console/subscriptions">subscription</a>{' '}
            to get some.
          </Allowed>
        </ActivityCard>
      </div>
    </Page>
  );
}

const Quota = ({ user }: { user: User }) => (
  <section class="card stack" aria-label="Quota used">
    <h2>Quota used</h2>
    <Usage user={user} />
  </section>
);
