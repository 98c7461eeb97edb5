import type { AccountReader } from '../../shared/service/accounts/account-reader.ts';

/** The reader of a world without connected accounts. */
export const withoutAccounts: AccountReader = {
  fillProps: (_owner, props) => Promise.resolve({ props, oauthAccounts: [] }),
  fieldOf: () => Promise.resolve(undefined),
  refuse: () => Promise.resolve(),
};
