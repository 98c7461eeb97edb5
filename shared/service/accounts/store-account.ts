import type { Account } from '../../domain/account/account.ts';
import { freeAccountName } from '../../domain/account/account-name.ts';
import { ServiceError } from '../../domain/errors.ts';
import { MAX_ACCOUNTS } from '../../domain/limits.ts';
import type { AccountStore } from '../../store/accounts/accounts.ts';
import { changeCurrent } from '../../store/table/change-current.ts';

interface PreferredName {
  name: string;
  /** `number`: a taken name gets the smallest free number as a suffix. */
  whenTaken: 'refuse' | 'number';
}

/** Stores a new account under a name that no other account of its owner and app has. */
export function storeAccount(
  accounts: Pick<AccountStore, 'create' | 'takenNames'>,
  account: Omit<Account, 'name' | 'hasReservedName'>,
  { name: preferred, whenTaken }: PreferredName,
): Promise<Account> {
  const { ownerId, app } = account;
  return changeCurrent({
    read: preferred,
    find: async () => freeAccountName(preferred, await accounts.takenNames(ownerId, app)),
    write: async (name) => {
      const named = { ...account, name, hasReservedName: true } as const;
      if (await accounts.create(named, MAX_ACCOUNTS)) return named;
      if (whenTaken === 'refuse') throw nameTaken(app, name);
      return false;
    },
  });
}

export const nameTaken = (app: string, name: string): ServiceError =>
  new ServiceError(
    'name_taken',
    `Another account of ${app} has the name ${JSON.stringify(name)}. Choose another name.`,
    { details: [{ path: 'name', message: 'must be a name that no other account of the app has' }] },
  );
