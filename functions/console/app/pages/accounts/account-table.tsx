import { AccountStatus } from '../../accounts/account-status.tsx';
import type { Account, AccountSettings } from '../../api/wire.ts';
import { CopyButton } from '../../components/buttons/copy-button.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time, TimeOrDash } from '../../components/time.tsx';
import { countText } from '../../locale.ts';
import { AccountActions } from './account-actions.tsx';

const { name, app, ...others } = {
  name: {
    name: 'Name',
    cell: ({ id, name }) => (
      <span class="with-copy">
        <span class="entry">{name}</span>
        <CopyButton text={id} label={`Copy id ${id}`} />
      </span>
    ),
  },
  app: { name: 'App', cell: ({ app }) => <code>{app}</code> },
  fields: {
    name: 'Fields',
    kind: 'wider',
    cell: ({ field_names: names }) => (
      <code class="cut" title={names.join(', ')}>
        {names.join(', ')}
      </code>
    ),
  },
} satisfies Record<keyof AccountSettings, Column<Account>>;

/** Accounts. The values of their fields are never shown. */
export const AccountTable = ({ accounts }: { accounts: readonly Account[] }) => (
  <Table
    name="Accounts"
    rows={accounts}
    idOf={({ id }) => id}
    columns={[
      name,
      app,
      { name: 'Status', cell: (account) => <AccountStatus account={account} /> },
      ...Object.values(others),
      { name: 'Sources', kind: 'number', cell: ({ used_by: count }) => countText(count) },
      {
        name: 'Connected',
        kind: 'wide',
        cell: ({ connected_at_ms: ms, created_at: seconds }) => <Time ms={ms ?? seconds * 1_000} />,
      },
      { name: 'Expires', kind: 'widest', cell: ({ expires_at_ms: ms }) => <TimeOrDash ms={ms} /> },
      { name: 'Actions', cell: (account) => <AccountActions account={account} /> },
    ]}
  />
);
