import { Allowed } from '../../api/rights.tsx';
import { useConnect } from '../../accounts/connect-provider.tsx';
import { listAccounts } from '../../api/account-api.ts';
import { hasNone } from '../../api/page-cursors.ts';
import { MoreButton } from '../../components/buttons/more-button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { SearchBox } from '../../components/search-box.tsx';
import { useAddressFilter } from '../../hooks/use-address-filter.ts';
import { useList } from '../../lists/use-list.ts';
import { AccountTable } from './account-table.tsx';

/**
 * A status changes when a token is renewed. The service reads all sources for each response, to count those that use an
 * account.
 */
const POLL_MS = 30_000;

export function AccountsPage() {
  const [q, setQ] = useAddressFilter('q', { typed: true });
  const { query, items: accounts } = useList({
    queryKey: ['accounts', { q }],
    read: (after) => listAccounts({ q }, after),
    interval: POLL_MS,
  });
  return (
    <Page title="Accounts" actions={<ConnectButton isMain>Connect account</ConnectButton>}>
      {!hasNone(query, q) && (
        <div class="filters">
          <SearchBox value={q} onChange={setQ} placeholder="Name, app or id" />
        </div>
      )}
      <Loaded query={query} rows={4}>
        {() => (accounts.length === 0 ? <NoAccounts q={q} /> : <AccountTable accounts={accounts} />)}
      </Loaded>
      <MoreButton query={query} />
    </Page>
  );
}

function ConnectButton({ isMain = false, children }: { isMain?: boolean; children: string }) {
  const connect = useConnect();
  return (
    <Allowed>
      <button type="button" class={isMain ? 'primary' : undefined} onClick={() => connect({})}>
        {children}
      </button>
    </Allowed>
  );
}

const NoAccounts = ({ q }: { q: string }) =>
  q === '' ? (
    <EmptyState title="No accounts yet.">
      <p>
        An account keeps your credentials of an app, such as an API key. Sources whose components call the app use it.
      </p>
      <ConnectButton>Connect the first account</ConnectButton>
    </EmptyState>
  ) : (
    <EmptyState title="No account matches.">
      <p>Change the search text. It looks in name, app and id.</p>
    </EmptyState>
  );
