import type { AccountReader } from '../../shared/service/accounts/account-reader.ts';

/** The reader of a world without connected accounts. */
export const withoutAccounts: AccountReader = {
  connect: (_owner, props) => Promise.resolve({ props, grants: [] }),
  refuse: () => Promise.resolve(),
};
