import type { ProviderEntry } from '../../provider.ts';

export const atlassian: ProviderEntry = {
  name: 'atlassian',
  title: 'Atlassian',
  authorization: 'https://auth.atlassian.com/authorize',
  token: 'https://auth.atlassian.com/oauth/token',
  identity: { address: 'https://api.atlassian.com/me' },
  scopeSeparator: ' ',
  scopes: ['offline_access', 'read:me'],
  pkce: 'none',
  tokenAuth: 'json',
  authorizationParameters: { audience: 'api.atlassian.com', prompt: 'consent' },
  lifetime: 3600,
  refreshToken: 'rotates',
  uid: 'identity.account_id',
  quirks: [],
  apps: {
    confluence: ['read:confluence-content.all', 'read:confluence-space.summary', 'search:confluence'],
    jira: ['read:jira-work', 'read:jira-user', 'manage:jira-webhook'],
  },
  redirect: { loopback: 'unknown', localhost: 'yes' },
  note: 'An app has one redirect address. `read:me` belongs to the User Identity API, which is added to the app.',
};
