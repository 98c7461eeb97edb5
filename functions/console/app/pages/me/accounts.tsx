import { useQuery } from '@tanstack/preact-query';
import { everyPage } from '../../api/list-pages.ts';
import type { Account } from '../../api/wire.ts';
import { IdLine } from '../../components/id-line.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';

/** The connected accounts. Their fields are never shown. */
export function Accounts() {
  const query = useQuery({
    queryKey: ['accounts'],
    queryFn: () => everyPage<Account>('/users/me/accounts'),
  });
  return (
    <section class="stack" aria-labelledby="accounts">
      <h2 id="accounts">Connected accounts</h2>
      <Loaded query={query} rows={1}>
        {(accounts) =>
          accounts.length === 0 ? (
            <p class="muted">
              None. The operator of the service connects accounts; components then use them as apps.
            </p>
          ) : (
            <Table
              name="Connected accounts"
              rows={accounts}
              idOf={({ id }) => id}
              columns={[
                { name: 'Name', cell: ({ name }) => name },
                { name: 'App', cell: ({ app }) => <code>{app}</code> },
                { name: 'Id', cell: ({ id }) => <IdLine name="id">{id}</IdLine> },
                {
                  name: 'Connected',
                  kind: 'wide',
                  cell: ({ created_at: seconds }) => <Time ms={seconds * 1_000} />,
                },
              ]}
            />
          )
        }
      </Loaded>
    </section>
  );
}
