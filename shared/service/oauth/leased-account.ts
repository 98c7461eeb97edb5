import type { Account } from '../../domain/account/account.ts';
import type { OAuthGrant } from '../../domain/account/grant.ts';
import type { RenewalOutcome } from '../../domain/oauth/renewal.ts';
import type { AccountChange, AccountStore } from '../../store/accounts/accounts.ts';
import { changeCurrent } from '../../store/table/change-current.ts';

/** An account of kind `oauth`. */
export type ConnectedAccount = Account & { oauth: OAuthGrant };

export interface Leased {
  account: ConnectedAccount;
  holder: string;
}

interface LeasedContext {
  accounts: Pick<AccountStore, 'find' | 'change'>;
}

export const isConnected = (account: Account | undefined): account is ConnectedAccount => account?.oauth !== undefined;

/**
 * Changes the account while the lease is still this one's; its user may have changed it meanwhile. False when the lease
 * has ended.
 */
export async function storeLeased(
  { accounts }: LeasedContext,
  { account, holder }: Leased,
  changeOf: (current: ConnectedAccount) => Promise<AccountChange>,
): Promise<boolean> {
  const changed = await changeCurrent<Account, Account | 'lease ended'>({
    read: account,
    find: () => accounts.find(account.id),
    write: async (current) =>
      isConnected(current) && current.oauth.lease?.holder === holder
        ? accounts.change(current, await changeOf(current))
        : 'lease ended',
  });
  return changed !== undefined && changed !== 'lease ended';
}

/** The same for the grant. Undefined when the lease has ended. */
export async function storeGrant<Outcome extends RenewalOutcome | undefined>(
  context: LeasedContext,
  leased: Leased,
  outcome: Outcome,
  to: (grant: OAuthGrant) => OAuthGrant,
): Promise<Outcome | undefined> {
  const change = ({ oauth }: ConnectedAccount) => Promise.resolve({ oauth: to(oauth) });
  return (await storeLeased(context, leased, change)) ? outcome : undefined;
}
