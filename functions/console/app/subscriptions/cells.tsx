import type { SubscriptionSettings } from '../api/wire.ts';
import { CopyButton } from '../components/buttons/copy-button.tsx';
import type { Column } from '../components/table.tsx';
import type { Entry } from '../hooks/use-directory.ts';

export const EntryLink = ({ entry: { id, name, href } }: { entry: Entry }) => (
  <span class="with-copy">
    <a class="entry" href={href} title={name}>
      {name}
    </a>
    {name !== id && <CopyButton text={id} label={`Copy id ${id}`} />}
  </span>
);

export const FilterText = ({ filter }: { filter: object | undefined }) =>
  filter === undefined ? (
    <span class="muted nowrap">every event</span>
  ) : (
    <code class="pattern">{JSON.stringify(filter)}</code>
  );

const SETTINGS = {
  filter: { name: 'Filter', kind: 'wider', cell: ({ filter }) => <FilterText filter={filter} /> },
} satisfies Record<keyof SubscriptionSettings, Column<{ filter?: object | undefined }>>;
export const SETTING_COLUMNS = Object.values(SETTINGS);

export const StreamName = ({ name }: { name: string }) => (
  <span class="nowrap">
    <code>{name === '' ? 'default' : name}</code>
  </span>
);
