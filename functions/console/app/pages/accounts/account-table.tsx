import { AccountStatus } from '../../accounts/account-status.tsx';
import { ReconnectButton } from '../../accounts/reconnect-button.tsx';
import type { Account, AccountSettings } from '../../api/wire.ts';
import { IdLine } from '../../components/id-line.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { countText } from '../../locale.ts';
import { DeleteAccount } from './delete-account.tsx';
import { EditAccount } from './edit-account.tsx';

const { name, app, ...others } = {
  name: {
    name: 'Name',
    cell: ({ id, name }) => (
      <>
        {name}
        <span class="sub wide">
          <IdLine name="id">{id}</IdLine>
        </span>
      </>
    ),
  },
  app: { name: 'App', cell: ({ app }) => <code>{app}</code> },
  fields: {
    name: 'Fields',
    kind: 'widest',
    cell: ({ field_names: names }) => <code>{names.join(', ')}</code>,
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
        kind: 'widest',
        cell: ({ connected_at_ms: ms, created_at: seconds }) => <Time ms={ms ?? seconds * 1_000} />,
      },
      {
        name: 'Actions',
        cell: (account) => (
          <div class="row-actions">
            {account.kind === 'oauth' && <ReconnectButton account={account} />}
            <EditAccount account={account} />
            <DeleteAccount account={account} />
          </div>
        ),
      },
    ]}
  />
);
