import { isDeepStrictEqual } from 'node:util';
import type { Vault } from '../../aws/vault.ts';
import { type Account, nameOfAccount } from '../../domain/account/account.ts';
import {
  type AccountFieldChanges,
  fieldChangeProblems,
  withFieldChanges,
} from '../../domain/account/requested-fields.ts';
import { sentence } from '../../domain/check.ts';
import { ServiceError } from '../../domain/errors.ts';
import { MAX_ACCOUNTS } from '../../domain/limits.ts';
import type { AccountChange, AccountStore } from '../../store/accounts/accounts.ts';
import { changeCurrent } from '../../store/table/change-current.ts';
import { nameTaken } from './store-account.ts';

interface UpdateAccountContext {
  accounts: Pick<AccountStore, 'find' | 'change' | 'rename'>;
  vault: Pick<Vault, 'decrypt' | 'encrypt'>;
}

export interface AccountUpdate {
  name: string | undefined;
  fields: AccountFieldChanges | undefined;
}

/** Applies a PUT to the account as it is when the change is stored. Undefined when it was deleted meanwhile. */
export function updateAccount(
  context: UpdateAccountContext,
  read: Account,
  { name, fields }: AccountUpdate,
): Promise<Account | undefined> {
  const { accounts } = context;
  return changeCurrent<Account, Account>({
    read,
    find: () => accounts.find(read.id),
    write: async (account) => {
      const change = fields === undefined ? {} : await fieldChange(context, account, fields);
      return write(accounts, account, { name, change });
    },
  });
}

/** Undefined when the account was changed or deleted meanwhile. */
async function write(
  accounts: UpdateAccountContext['accounts'],
  account: Account,
  { name, change }: { name: string | undefined; change: AccountChange },
): Promise<Account | undefined> {
  if (name === undefined || (name === nameOfAccount(account) && account.hasReservedName === true))
    return Object.keys(change).length === 0 ? account : accounts.change(account, change);
  const renamed = await accounts.rename(account, name, { ...change, limit: MAX_ACCOUNTS });
  if (renamed === 'name_taken') throw nameTaken(account.app, name);
  return renamed;
}

async function fieldChange(
  { vault }: UpdateAccountContext,
  account: Account,
  changes: AccountFieldChanges,
): Promise<AccountChange> {
  const { id, ownerId, sealed } = account;
  const before = await vault.decrypt({ id, ownerId, sealed });
  const changed = withFieldChanges(before, changes);
  const problems = fieldChangeProblems(account, { changes, changed });
  if (problems.length > 0) throw new ServiceError('invalid_request', sentence(problems), { details: problems });
  if (isDeepStrictEqual(before, changed)) return {};
  return { sealed: await vault.encrypt({ id, ownerId }, changed), fieldNames: Object.keys(changed) };
}
