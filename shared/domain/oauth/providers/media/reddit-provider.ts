import type { ProviderEntry } from '../../provider.ts';

export const reddit: ProviderEntry = {
  name: 'reddit',
  title: 'Reddit',
  authorization: 'https://www.reddit.com/api/v1/authorize',
  token: 'https://www.reddit.com/api/v1/access_token',
  revocation: 'https://www.reddit.com/api/v1/revoke_token',
  identity: { address: 'https://oauth.reddit.com/api/v1/me' },
  scopeSeparator: ' ',
  scopes: ['identity'],
  pkce: 'none',
  tokenAuth: 'basic',
  authorizationParameters: { duration: 'permanent' },
  refreshToken: 'stays',
  uid: 'identity.id',
  quirks: ['error-with-status-200'],
  apps: { reddit: ['history', 'mysubreddits', 'read'] },
  redirect: { loopback: 'yes', localhost: 'yes' },
};
