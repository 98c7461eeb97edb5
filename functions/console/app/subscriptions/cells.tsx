import type { SubscriptionSettings } from '../api/wire.ts';
import type { Column } from '../components/table.tsx';
import type { Entry } from '../hooks/use-directory.ts';

export const EntryLink = ({ entry: { id, name, href } }: { entry: Entry }) => (
  <>
    <a class="entry" href={href} title={name}>
      {name}
    </a>
    {name !== id && <span class="sub nowrap widest">{id}</span>}
  </>
);

export const FilterText = ({ filter }: { filter: object | undefined }) =>
  filter === undefined ? (
    <span class="muted nowrap">every event</span>
  ) : (
    <code class="pattern">{JSON.stringify(filter)}</code>
  );

const SETTINGS = {
  filter: { name: 'Filter', kind: 'wide', cell: ({ filter }) => <FilterText filter={filter} /> },
} satisfies Record<keyof SubscriptionSettings, Column<{ filter?: object | undefined }>>;
export const SETTING_COLUMNS = Object.values(SETTINGS);

export const StreamName = ({ name }: { name: string }) => (
  <span class="nowrap">
    <code>{name === '' ? 'default' : name}</code>
  </span>
);
