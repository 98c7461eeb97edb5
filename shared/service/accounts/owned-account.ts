import type { Account } from '../../domain/account/account.ts';
import type { AccountId, UserId } from '../../domain/id.ts';
import type { AccountStore } from '../../store/accounts/accounts.ts';
import { notFound } from '../../domain/errors.ts';

/** Throws `not_found` for another user's account too, so that ids cannot be probed. */
export async function ownedAccount(
  { accounts }: { accounts: Pick<AccountStore, 'find'> },
  id: AccountId,
  userId: UserId,
): Promise<Account> {
  const account = await accounts.find(id);
  if (account?.ownerId !== userId) throw notFound(`account ${id}`);
  return account;
}
