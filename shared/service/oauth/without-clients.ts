import type { Renewals } from './renew-account.ts';

/** The renewals of a service without OAuth clients. */
export const withoutClients: Renewals = {
  refresh: () => Promise.resolve({ kind: 'passing', reason: 'No OAuth client is registered for the app.' }),
  isValid: () => Promise.resolve(undefined),
  clientIdOf: () => Promise.resolve(undefined),
  revoke: () => Promise.resolve(),
};
