import type { ProviderEntry } from '../../provider.ts';

export const quickbooks: ProviderEntry = {
  name: 'quickbooks',
  title: 'QuickBooks',
  authorization: 'https://appcenter.intuit.com/connect/oauth2',
  token: 'https://oauth.platform.intuit.com/oauth2/v1/tokens/bearer',
  revocation: 'https://developer.api.intuit.com/v2/oauth2/tokens/revoke',
  scopeSeparator: ' ',
  scopes: ['com.intuit.quickbooks.accounting'],
  pkce: 'none',
  tokenAuth: 'basic',
  lifetime: 3600,
  refreshToken: 'rotates',
  uid: 'callback.realmId',
  fields: { company_id: 'callback.realmId' },
  quirks: ['json-revocation'],
  apps: { quickbooks: ['com.intuit.quickbooks.accounting'] },
  redirect: { loopback: 'unknown', localhost: 'unknown' },
  note: 'A refresh token ends after 100 days without a renewal. There is no scope for reading alone.',
};
