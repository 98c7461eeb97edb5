import { useMemo } from 'preact/hooks';
import { Allowed } from '../api/rights.tsx';
import { hasNone } from '../api/page-cursors.ts';
import type { Page as ListPage } from '../api/wire.ts';
import { Sparkline } from '../charts/sparkline.tsx';
import { sparkPages, useSparklines } from '../charts/use-sparklines.ts';
import { useChosen } from '../choosing/use-chosen.ts';
import { MoreButton } from '../components/buttons/more-button.tsx';
import { PauseButton } from '../components/buttons/pause-button.tsx';
import { SwitchChosen } from '../components/buttons/switch-chosen.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { ListCount } from '../components/list-count.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Page } from '../components/page.tsx';
import { SearchBox } from '../components/search-box.tsx';
import { SelectFilter } from '../components/select-filter.tsx';
import { type Column, Table } from '../components/table.tsx';
import { useAddressFilter } from '../hooks/use-address-filter.ts';
import { useLive } from '../hooks/use-live.ts';
import { tagColumn } from '../tags/tag-chips.tsx';
import { TagFilter } from '../tags/tag-filter.tsx';
import { useList } from './use-list.ts';
import { useSorting } from './use-sorting.ts';
import { useShownRows, useWholeList } from './use-whole-list.ts';

/** States change slowly, and a list can have 1,000 items. */
const POLL_MS = 5_000;

export interface WholeList<Item> {
  title: 'Sources' | 'Webhooks';
  one: 'source' | 'webhook';
  many: 'sources' | 'webhooks';
  /** Says what such a thing is, before the first one. */
  about: string;
  /** The texts that the search looks in. */
  searched: string;
  /** A filter beside the search and the tag. */
  filter: { name: string; label: string; all: string; values: readonly string[] };
  read: (filters: { q: string; tag: string }, after: string | undefined) => Promise<ListPage<Item>>;
  /** Whether an item passes the filter. */
  isShown: (item: Item, value: string) => boolean;
  nameOf: (item: Item) => string;
  put: (id: string, body: { active: boolean }) => Promise<unknown>;
  /** The columns before and after the tags and the last 24 hours. */
  columns: readonly [before: readonly Column<Item>[], after: readonly Column<Item>[]];
  /** The column that sorts, unless the address says otherwise. */
  standard?: string;
  measure: 'events' | 'attempts';
}

interface Listed {
  id: string;
  tags: readonly string[];
}

/** The page of the sources or webhooks. All pages of the list are read: only a whole list can be sorted. */
export function WholeListPage<Item extends Listed>({ list }: { list: WholeList<Item> }) {
  const { title, one, many, about, searched, filter, read, isShown } = list;
  const [q, setQ] = useAddressFilter('q', { typed: true });
  const [tag] = useAddressFilter('tag');
  const [value, setValue] = useAddressFilter(filter.name);
  const live = useLive(POLL_MS);
  const { query, items, total } = useList({
    queryKey: [many, { q, tag }],
    read: (after) => read({ q, tag }, after),
    interval: live.interval,
  });
  useWholeList(query);
  const isPart = value !== '';
  const rows = useMemo(() => (isPart ? items.filter((item) => isShown(item, value)) : items), [items, value]);
  const isEmpty = hasNone(query, q + tag + value);
  const createHref = `/console/${many}/new`;
  return (
    <Page
      title={title}
      actions={
        <>
          {!isEmpty && <PauseButton live={live} />}
          <Allowed>
            <a class="button primary" href={createHref}>
              New {one}
            </a>
          </Allowed>
        </>
      }
    >
      {!isEmpty && (
        <div class="filters">
          <SearchBox value={q} onChange={setQ} placeholder={searched} />
          <SelectFilter {...filter} value={value} onChange={setValue} />
          <TagFilter />
        </div>
      )}
      <Loaded query={query} rows={6}>
        {() => {
          if (rows.length > 0) return <Rows list={list} rows={rows} total={isPart ? rows.length : total} />;
          if (query.hasNextPage) return <p class="hint">Reading the other {many}…</p>;
          return q + tag + value === '' ? (
            <EmptyState title={`No ${many} yet.`}>
              <p>{about}</p>
              <Allowed>
                <a class="button" href={createHref}>
                  Create the first {one}
                </a>
              </Allowed>
            </EmptyState>
          ) : (
            <EmptyState title={`No ${one} matches.`}>
              <p>{`Change the search text, the ${filter.label.toLowerCase()} or the tag.`}</p>
            </EmptyState>
          );
        }}
      </Loaded>
      {query.isFetchNextPageError && <MoreButton query={query} />}
    </Page>
  );
}

interface RowsProps<Item> {
  list: WholeList<Item>;
  rows: readonly Item[];
  total: number;
}

/** The sorted rows, with buttons that switch the ticked ones. */
function Rows<Item extends Listed>({ list, rows, total }: RowsProps<Item>) {
  const { title, one, many, nameOf, put, measure, standard } = list;
  const [before, after] = list.columns;
  const { sorted, sorting } = useSorting(rows, [...before, ...after], standard);
  const { shown, more } = useShownRows(sorted);
  const lastDayOf = useSparklines(`${one}_id`, measure, sparkPages(shown));
  const chosen = useChosen();
  const lastDay: Column<Item> = {
    name: 'Last 24 h',
    kind: 'drawn',
    cell: ({ id }) => <Sparkline rows={lastDayOf(id)} measure={measure} />,
  };
  return (
    <>
      <div class="list-head">
        <ListCount shown={shown.length} total={total} one={one} many={many} />
        <SwitchChosen
          items={shown.filter(({ id }) => chosen.ids.has(id)).map((row) => ({ id: row.id, name: nameOf(row) }))}
          nouns={[one, many]}
          list={many}
          put={put}
          onDone={chosen.untick}
        />
      </div>
      <Table
        name={title}
        rows={shown}
        idOf={({ id }) => id}
        choice={{ chosen, nameOf }}
        sorting={sorting}
        columns={[...before, ...tagColumn(many, shown), lastDay, ...after]}
      />
      <MoreButton query={more} />
    </>
  );
}
