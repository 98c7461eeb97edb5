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
  missing: ['revocation address', 'http://127.0.0.1 as redirect address'],
  sources: [
    {
      url: 'https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/',
      checked: '2026-11-27',
    },
    {
      url: 'https://developer.atlassian.com/cloud/confluence/oauth-2-3lo-apps/',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/SocialiteProviders/Providers/blob/47679c144d6b831ae900d235f044bf243119890c/src/Atlassian/Provider.php',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/NangoHQ/nango/blob/2f4c0af671e2ca1c43dd4e78f3c369218bf3fc87/packages/providers/providers.yaml',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/PipedreamHQ/pipedream/tree/master/components/jira',
      checked: '2026-11-27',
    },
  ],
};
