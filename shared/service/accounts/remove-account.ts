import type { Account } from '../../domain/account/account.ts';
import { ServiceError, notFound } from '../../domain/errors.ts';
import type { AccountStore } from '../../store/accounts/accounts.ts';
import type { AccountUse, AccountUseStore } from '../../store/accounts/account-uses.ts';
import { revokeTokens, type RevokeTokensContext } from './revoke-tokens.ts';

interface RemoveAccountContext {
  accounts: Pick<AccountStore, 'remove'>;
  uses: Pick<AccountUseStore, 'read'>;
  oauthFunction: RevokeTokensContext['oauthFunction'];
}

const MAX_NAMED = 10;

/**
 * Removes an account that no source names, or any with `force`. A source that is created meanwhile may name it
 * nevertheless: such a source is treated like one whose account was removed by force.
 */
export async function removeAccount(
  { accounts, uses, oauthFunction }: RemoveAccountContext,
  account: Account,
  { force }: { force: boolean },
): Promise<void> {
  const users = force ? [] : ((await uses.read(account.ownerId)).get(account.id) ?? []);
  if (users.length > 0) throw accountInUse(account, users);
  await revokeTokens({ oauthFunction }, account);
  if (!(await accounts.remove(account))) throw notFound(`account ${account.id}`);
}

function accountInUse({ id }: Account, uses: readonly AccountUse[]): ServiceError {
  const shown = uses.slice(0, MAX_NAMED).map((source) => `${source.nameSlug} (${source.id})`);
  const more = uses.length - shown.length;
  const list = [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ');
  return new ServiceError(
    'account_in_use',
    `The account ${id} is used by ${uses.length === 1 ? 'the source' : 'the sources'} ${list}. Give them another account, or delete it with force=true.`,
  );
}
