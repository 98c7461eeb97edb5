import { useInfiniteQuery } from '@tanstack/preact-query';
import { FIRST_PAGE, nextCursor } from '../../api/page-cursors.ts';
import { listWebhooks } from '../../api/webhook-api.ts';
import type { WebhookItem } from '../../api/wire.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ListCount } from '../../components/list-count.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { MoreButton } from '../../components/buttons/more-button.tsx';
import { Page } from '../../components/page.tsx';
import { PauseButton } from '../../components/buttons/pause-button.tsx';
import { SearchBox } from '../../components/search-box.tsx';
import { Table } from '../../components/table.tsx';
import { TimeOrDash } from '../../components/time.tsx';
import { failuresOf } from '../../charts/chart-layers.ts';
import { Sparkline } from '../../charts/sparkline.tsx';
import { useSparklines } from '../../charts/use-sparklines.ts';
import { useAddressFilter } from '../../hooks/use-address-filter.ts';
import { listInterval } from '../../hooks/list-interval.ts';
import { useLive } from '../../hooks/use-live.ts';
import { AttemptOutcome } from '../../events/attempt-text.tsx';
import { WebhookHealth } from './webhook-health.tsx';
import { countText } from '../../locale.ts';

/** Health changes slowly, and a list can have 1,000 webhooks. */
const POLL_MS = 5_000;

export function WebhooksPage() {
  const [q, setQ] = useAddressFilter('q', { typed: true });
  const live = useLive(POLL_MS);
  const query = useInfiniteQuery({
    queryKey: ['webhooks', q],
    queryFn: ({ pageParam }) => listWebhooks({ q }, pageParam),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: nextCursor,
    placeholderData: (shown) => shown,
    refetchInterval: listInterval(live.interval),
  });
  return (
    <Page
      title="Webhooks"
      actions={
        <>
          <PauseButton live={live} />
          <a class="button primary" href="/console/webhooks/new">
            New webhook
          </a>
        </>
      }
    >
      <div class="filters">
        <SearchBox value={q} onChange={setQ} placeholder="Name, URL or id" />
      </div>
      <Loaded query={query} rows={6}>
        {({ pages }) => {
          const webhooks = pages.map(({ data }) => data);
          const shown = webhooks.flat().length;
          if (shown === 0) return <NoWebhooks q={q} />;
          const total = pages[0]?.page_info.total_count ?? 0;
          return (
            <>
              <ListCount shown={shown} total={total} one="webhook" many="webhooks" />
              <WebhookTable pages={webhooks} />
            </>
          );
        }}
      </Loaded>
      <MoreButton query={query} />
    </Page>
  );
}

const NoWebhooks = ({ q }: { q: string }) =>
  q === '' ? (
    <EmptyState title="No webhooks yet.">
      <p>A webhook is an address of yours that gets events as signed requests, and again when it was down.</p>
      <a class="button" href="/console/webhooks/new">
        Create the first webhook
      </a>
    </EmptyState>
  ) : (
    <EmptyState title="No webhook matches.">
      <p>Change the search text. It looks in name, URL and id.</p>
    </EmptyState>
  );

function WebhookTable({ pages }: { pages: readonly (readonly WebhookItem[])[] }) {
  const lastDayOf = useSparklines('webhook_id', 'attempts', pages);
  return (
    <Table
      name="Webhooks"
      rows={pages.flat()}
      idOf={({ id }) => id}
      columns={[
        {
          name: 'Webhook',
          cell: ({ id, name, url }) => (
            <>
              <a class="entry" href={`/console/webhooks/${id}`} title={name ?? url}>
                {name ?? url}
              </a>
              {name !== null && (
                <span class="sub entry" title={url}>
                  {url}
                </span>
              )}
            </>
          ),
        },
        { name: 'Health', cell: (webhook) => <WebhookHealth webhook={webhook} /> },
        {
          name: 'Last 24 h',
          kind: 'drawn',
          cell: ({ id }) => <Sparkline rows={lastDayOf(id)} one="attempt" many="attempts" failuresOf={failuresOf} />,
        },
        {
          name: 'Last attempt',
          kind: 'wide',
          cell: ({ last_attempt: last }) =>
            last === null ? <span class="muted">–</span> : <AttemptOutcome attempt={last} />,
        },
        {
          name: 'Last success',
          kind: 'widest',
          cell: ({ last_success_ms: ms }) => <TimeOrDash ms={ms} />,
        },
        { name: 'Held', kind: 'number', cell: ({ held_count: held }) => countText(held) },
      ]}
    />
  );
}
