import type { ProviderEntry } from '../../provider.ts';

export const xero: ProviderEntry = {
  name: 'xero',
  title: 'Xero',
  authorization: 'https://login.xero.com/identity/connect/authorize',
  token: 'https://identity.xero.com/connect/token',
  identity: { address: 'https://identity.xero.com/connect/userinfo' },
  issuer: 'https://identity.xero.com',
  scopeSeparator: ' ',
  scopes: ['openid', 'offline_access'],
  pkce: 'none',
  tokenAuth: 'basic',
  lifetime: 1800,
  refreshToken: 'rotates',
  uid: 'identity.sub',
  quirks: [],
  apps: {
    xero_accounting_api: ['accounting.contacts.read', 'accounting.settings.read', 'accounting.transactions.read'],
  },
  redirect: { loopback: 'unknown', localhost: 'yes' },
  note: 'After a renewal the old refresh token is good for another 30 minutes; one without a renewal ends after 60 days.',
};
