import { Allowed } from '../../api/rights.tsx';
import { listComponents } from '../../api/component-api.ts';
import { hasNone } from '../../api/page-cursors.ts';
import type { ComponentItem } from '../../api/wire.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { MoreButton } from '../../components/buttons/more-button.tsx';
import { Page } from '../../components/page.tsx';
import { SearchBox } from '../../components/search-box.tsx';
import { Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { useAddressFilter } from '../../hooks/use-address-filter.ts';
import { useList } from '../../lists/use-list.ts';
import { PlainMarkdown } from '../../markdown/markdown.tsx';
import { CreateSourceLink } from './create-source-link.tsx';

export function ComponentsPage() {
  const [q, setQ] = useAddressFilter('q', { typed: true });
  const { query, items: components } = useList({
    queryKey: ['components', q],
    read: (after) => listComponents({ q }, after),
  });
  return (
    <Page title="Components">
      {!hasNone(query, q) && (
        <div class="filters">
          <SearchBox value={q} onChange={setQ} placeholder="Name, key or id" />
        </div>
      )}
      <Loaded query={query} rows={6}>
        {() => (components.length === 0 ? <NoComponents q={q} /> : <ComponentTable components={components} />)}
      </Loaded>
      <MoreButton query={query} />
    </Page>
  );
}

const NoComponents = ({ q }: { q: string }) =>
  q === '' ? (
    <EmptyState title="No components yet.">
      <p>A component is the code of a source. Creating a source from code saves it here.</p>
      <Allowed>
        <a class="button" href="/console/sources/new">
          Create the first source
        </a>
      </Allowed>
    </EmptyState>
  ) : (
    <EmptyState title="No component matches.">
      <p>Change the search text. It looks in names, keys and ids.</p>
    </EmptyState>
  );

const ComponentTable = ({ components }: { components: readonly ComponentItem[] }) => (
  <Table
    name="Components"
    rows={components}
    idOf={({ id }) => id}
    columns={[
      {
        name: 'Name',
        cell: ({ id, name, description }) => (
          <>
            <a href={`/console/components/${id}`}>{name}</a>
            {description !== null && (
              <span class="sub">
                <PlainMarkdown text={description} />
              </span>
            )}
          </>
        ),
      },
      {
        name: 'Key',
        cell: ({ key }) => (key === null ? <span class="muted">–</span> : <code>{key}</code>),
      },
      { name: 'Version', kind: 'wide', cell: ({ version }) => version || <span class="muted">–</span> },
      { name: 'Saved', kind: 'wide', cell: ({ updated_at: seconds }) => <Time ms={seconds * 1_000} /> },
      { name: 'Actions', cell: ({ id }) => <CreateSourceLink componentId={id} /> },
    ]}
  />
);
