import { useState } from 'preact/hooks';
import { listAudit } from '../../api/key-api.ts';
import { LONGEST_COUNT } from '../../api/page-cursors.ts';
import { useKnowsScopes, useLack } from '../../api/rights.tsx';
import type { AuditEntry } from '../../api/wire.ts';
import { MoreButton } from '../../components/buttons/more-button.tsx';
import { Facts } from '../../components/facts.tsx';
import { IdLine } from '../../components/id-line.tsx';
import { ListCount } from '../../components/list-count.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { rangeOf } from '../../components/times/time-range.ts';
import { TimeRangeFilter, useChosenTime } from '../../components/times/time-range-filter.tsx';
import { FilterBar } from '../../events/filter-bar.tsx';
import { useAddressFilter } from '../../hooks/use-address-filter.ts';
import { TypedFilter } from '../../lists/typed-filter.tsx';
import { useList } from '../../lists/use-list.ts';

/** The browser has begun to save by then. */
const SAVED_MS = 60_000;

/** The changes of the last 90 days, and their authors. */
export function AuditSection() {
  const lack = useLack('manage');
  const isKnown = useKnowsScopes();
  return (
    <section class="stack" aria-labelledby="audit">
      <h2 id="audit">Changes</h2>
      {lack === undefined ? isKnown && <Changes /> : <p class="hint">{lack}</p>}
    </section>
  );
}

function Changes() {
  // A change of a key reads the queries of keys again, and so its entry.
  const [by, setBy] = useAddressFilter('by');
  const [operation, setOperation] = useAddressFilter('operation');
  const chosen = useChosenTime();
  const filters = [by, operation, chosen.time || chosen.since || chosen.until].filter((text) => text !== '');
  const { query, items, total } = useList({
    queryKey: ['keys', 'audit', by, operation, chosen],
    read: (after) => listAudit({ by, operation, ...rangeOf(chosen, Date.now()) }, after),
    next: ({ page_info: { end_cursor: cursor } }) => cursor ?? undefined,
  });
  return (
    <>
      <FilterBar count={filters.length} hasMany>
        <TypedFilter label="By" value={by} onChange={setBy} placeholder="Name or id of a key" />
        <TypedFilter label="Operation" value={operation} onChange={setOperation} placeholder="Such as deleteSource" />
        <TimeRangeFilter chosen={chosen} />
      </FilterBar>
      <Loaded query={query}>
        {() => (
          <>
            <div class="list-head">
              <ListCount
                shown={items.length}
                total={query.hasNextPage ? Math.max(total, items.length) : items.length}
                longest={LONGEST_COUNT}
                one="change"
                many="changes"
              />
              {items.length > 0 && (
                <button type="button" onClick={() => saveLines('changes.jsonl', items)}>
                  Download shown
                </button>
              )}
            </div>
            {items.length > 0 && <AuditTable entries={items} />}
          </>
        )}
      </Loaded>
      <MoreButton query={query} isAutomatic={false} />
    </>
  );
}

/** Saves one JSON text a line. */
function saveLines(name: string, values: readonly object[]): void {
  const lines = values.map((value) => `${JSON.stringify(value)}\n`);
  const href = URL.createObjectURL(new Blob(lines, { type: 'application/jsonl' }));
  Object.assign(document.createElement('a'), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), SAVED_MS);
}

const AuditTable = ({ entries }: { entries: readonly AuditEntry[] }) => (
  <Table
    name="Changes"
    rows={entries}
    idOf={({ number }) => String(number)}
    columns={[
      { name: 'Time', cell: ({ at_ms: ms }) => <Time ms={ms} /> },
      { name: 'By', cell: ({ by }) => <span class="pattern">{by.name ?? by.kind}</span> },
      { name: 'Operation', cell: (entry) => <Operation entry={entry} /> },
      { name: 'Address', kind: 'wide', cell: ({ client_ip: address }) => address ?? <span class="muted">–</span> },
    ]}
  />
);

function Operation({ entry }: { entry: AuditEntry }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{entry.operation}</summary>
      {isOpen && <Details entry={entry} />}
    </details>
  );
}

const Details = ({ entry }: { entry: AuditEntry }) => (
  <>
    <Facts facts={factsOf(entry).map(([name, text]) => [name, <span class="pattern">{text}</span>])} />
    {entry.ids.map((id) => (
      <IdLine key={id} name="id">
        {id}
      </IdLine>
    ))}
  </>
);

/** The fields that changed, as `true → false`, and the rest of an entry. */
function factsOf({
  before,
  after,
  removed,
  hidden,
  is_shortened: isShortened,
  request_id: requestId,
}: AuditEntry): [string, string][] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const valueOf = (fields: AuditEntry['before'], name: string) =>
    fields === null ? [] : [JSON.stringify(fields[name] ?? null)];
  const facts: [string, string][] = [
    ...names.map((name): [string, string] => [name, [...valueOf(before, name), ...valueOf(after, name)].join(' → ')]),
    ...Object.entries(removed ?? {}).map(([name, value]): [string, string] => [
      `With it: ${name}`,
      JSON.stringify(value),
    ]),
    ['Changed, not kept', hidden.join(', ')],
    ['Shortened', isShortened ? 'yes' : ''],
    ['Request', requestId ?? ''],
  ];
  return facts.filter(([, text]) => text !== '');
}
