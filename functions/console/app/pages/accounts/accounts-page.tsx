import { useInfiniteQuery } from '@tanstack/preact-query';
import { useConnect } from '../../accounts/connect-provider.tsx';
import { listAccounts } from '../../api/account-api.ts';
import { FIRST_PAGE, nextCursor } from '../../api/page-cursors.ts';
import { MoreButton } from '../../components/buttons/more-button.tsx';
import { PauseButton } from '../../components/buttons/pause-button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { SearchBox } from '../../components/search-box.tsx';
import { useAddressFilter } from '../../hooks/use-address-filter.ts';
import { listInterval } from '../../hooks/list-interval.ts';
import { useLive } from '../../hooks/use-live.ts';
import { AccountTable } from './account-table.tsx';

/**
 * A status changes when a token is renewed. The service reads all sources for each response, to count those that use an
 * account.
 */
const POLL_MS = 30_000;

export function AccountsPage() {
  const [q, setQ] = useAddressFilter('q', { typed: true });
  const live = useLive(POLL_MS);
  const query = useInfiniteQuery({
    queryKey: ['accounts', { q }],
    queryFn: ({ pageParam }) => listAccounts({ q }, pageParam),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: nextCursor,
    placeholderData: (shown) => shown,
    refetchInterval: listInterval(live.interval),
  });
  return (
    <Page
      title="Accounts"
      actions={
        <>
          <PauseButton live={live} />
          <ConnectButton isMain>Connect account</ConnectButton>
        </>
      }
    >
      <div class="filters">
        <SearchBox value={q} onChange={setQ} placeholder="Name, app or id" />
      </div>
      <Loaded query={query} rows={4}>
        {({ pages }) => {
          const accounts = pages.flatMap(({ data }) => data);
          return accounts.length === 0 ? <NoAccounts q={q} /> : <AccountTable accounts={accounts} />;
        }}
      </Loaded>
      <MoreButton query={query} />
    </Page>
  );
}

function ConnectButton({ isMain = false, children }: { isMain?: boolean; children: string }) {
  const connect = useConnect();
  return (
    <button type="button" class={isMain ? 'primary' : undefined} onClick={() => connect({})}>
      {children}
    </button>
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
