import { useInfiniteQuery } from '@tanstack/preact-query';
import { FIRST_PAGE, nextCursor } from '../../api/page-cursors.ts';
import { listSources } from '../../api/source-api.ts';
import type { SourceItem, SourceSettings } from '../../api/wire.ts';
import { useChosen } from '../../choosing/use-chosen.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { IdLine } from '../../components/id-line.tsx';
import { ListCount } from '../../components/list-count.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { MoreButton } from '../../components/buttons/more-button.tsx';
import { Page } from '../../components/page.tsx';
import { PauseButton } from '../../components/buttons/pause-button.tsx';
import { SearchBox } from '../../components/search-box.tsx';
import { SelectFilter } from '../../components/select-filter.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { TimeOrDash } from '../../components/time.tsx';
import { Sparkline } from '../../charts/sparkline.tsx';
import { useSparklines } from '../../charts/use-sparklines.ts';
import { useAddressFilter } from '../../hooks/use-address-filter.ts';
import { listInterval } from '../../hooks/list-interval.ts';
import { useLive } from '../../hooks/use-live.ts';
import { SOURCE_STATES, StateBadge } from './source-state.tsx';
import { SwitchSources } from './switch-sources.tsx';

const POLL_MS = 5_000;

export function SourcesPage() {
  const [q, setQ] = useAddressFilter('q', { typed: true });
  const [state, setState] = useAddressFilter('state');
  const live = useLive(POLL_MS);
  const sources = useInfiniteQuery({
    queryKey: ['sources', { q, state }],
    queryFn: ({ pageParam }) => listSources({ q, state }, pageParam),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: nextCursor,
    refetchInterval: listInterval(live.interval),
    placeholderData: (shown) => shown,
  });
  return (
    <Page
      title="Sources"
      actions={
        <>
          <PauseButton live={live} />
          <a class="button primary" href="/console/sources/new">
            New source
          </a>
        </>
      }
    >
      <div class="filters">
        <SearchBox value={q} onChange={setQ} placeholder="Name, id or endpoint" />
        <SelectFilter label="State" value={state} onChange={setState} all="All states" values={SOURCE_STATES} />
      </div>
      <Loaded query={sources} rows={6}>
        {({ pages }) => (
          <SourceList
            pages={pages.map(({ data }) => data)}
            total={pages[0]?.page_info.total_count ?? 0}
            isFiltered={q !== '' || state !== ''}
          />
        )}
      </Loaded>
      <MoreButton query={sources} />
    </Page>
  );
}

/** The pages of a source show its props, and its address. */
const SETTINGS = {
  name: {
    name: 'Name',
    cell: ({ id, name, name_slug: slug }) => (
      <>
        <a class="entry" href={`/console/sources/${id}`} title={name}>
          {name}
        </a>
        {slug !== name && <span class="sub entry">{slug}</span>}
      </>
    ),
  },
  active: { name: 'State', cell: ({ state }) => <StateBadge state={state} /> },
} satisfies Record<Exclude<keyof SourceSettings, 'configured_props' | 'endpoint'>, Column<SourceItem>>;

interface SourceListProps {
  pages: readonly (readonly SourceItem[])[];
  total: number;
  isFiltered: boolean;
}

function SourceList({ pages, total, isFiltered }: SourceListProps) {
  const sources = pages.flat();
  const chosen = useChosen();
  const lastDayOf = useSparklines('source_id', 'events', pages);
  if (sources.length === 0)
    return isFiltered ? (
      <EmptyState title="No source matches.">
        <p>Change the search text or the state.</p>
      </EmptyState>
    ) : (
      <EmptyState title="No sources yet.">
        <p>A source runs a component: it polls an API or receives requests, and emits events.</p>
        <a class="button" href="/console/sources/new">
          Create the first source
        </a>
      </EmptyState>
    );
  const ticked = sources.filter(({ id }) => chosen.ids.has(id));
  return (
    <>
      <div class="list-head">
        <ListCount shown={sources.length} total={total} one="source" many="sources" />
        {ticked.length > 0 && (
          <div class="actions">
            <SwitchSources sources={ticked} isOn onDone={chosen.untick} />
            <SwitchSources sources={ticked} isOn={false} onDone={chosen.untick} />
          </div>
        )}
      </div>
      <Table
        name="Sources"
        rows={sources}
        idOf={({ id }) => id}
        choice={{ chosen, nameOf: ({ name }) => name }}
        columns={[
          ...Object.values(SETTINGS),
          {
            name: 'Last 24 h',
            kind: 'drawn',
            cell: ({ id }) => <Sparkline rows={lastDayOf(id)} one="event" many="events" />,
          },
          { name: 'Last event', kind: 'wide', cell: ({ last_event_ms: ms }) => <TimeOrDash ms={ms} /> },
          { name: 'Last error', kind: 'wide', cell: ({ last_error_ms: ms }) => <TimeOrDash ms={ms} /> },
          { name: 'Id', kind: 'widest', cell: ({ id }) => <IdLine name="id">{id}</IdLine> },
        ]}
      />
    </>
  );
}
