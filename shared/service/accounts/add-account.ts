import type { Vault } from '../../aws/vault.ts';
import { type Account, AccountSettings } from '../../domain/account/account.ts';
import { AccountId, newId, type Random, type UserId } from '../../domain/id.ts';
import type { Requested } from '../../domain/requested.ts';
import type { AccountStore } from '../../store/accounts/accounts.ts';
import { storeAccount } from './store-account.ts';

interface AddAccountContext {
  accounts: Pick<AccountStore, 'create' | 'takenNames'>;
  vault: Pick<Vault, 'encrypt'>;
  random: Random;
  now(): number;
}

/** Stores an account of kind `fields`. The fields are stored encrypted. */
export async function addAccount(
  { accounts, vault, random, now }: AddAccountContext,
  ownerId: UserId,
  requested: Requested<AccountSettings>,
): Promise<Account> {
  const { fields, name, ...settings } = AccountSettings.parse(requested);
  const createdAt = now();
  const id = AccountId.parse(newId('account', createdAt, random));
  const sealed = await vault.encrypt({ id, ownerId }, fields);
  return storeAccount(
    accounts,
    { ...settings, id, ownerId, fieldNames: Object.keys(fields), sealed, createdAt, version: 0 },
    name === undefined ? { name: settings.app, whenTaken: 'number' } : { name, whenTaken: 'refuse' },
  );
}
