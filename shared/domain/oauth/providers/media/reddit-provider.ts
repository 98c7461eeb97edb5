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
  missing: [],
  sources: [
    {
      url: 'https://github.com/praw-dev/prawcore/blob/06e47308ab98b0f5085394c85e3cd32081e75f77/prawcore/auth.py',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/praw-dev/praw/blob/7b69758126d5a105ab7083ee49a3f6f400963ca9/docs/getting_started/authentication.rst',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/better-auth/better-auth/blob/451aa4b6e57c9d4989bebc61ebb0892510e8a14e/packages/core/src/social-providers/reddit.ts',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/python-social-auth/social-core/blob/3bb06abdb21bc095a6e893ef7a63b63c3ce0a6a7/social_core/backends/reddit.py',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/NangoHQ/nango/blob/2f4c0af671e2ca1c43dd4e78f3c369218bf3fc87/packages/providers/providers.yaml',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/PipedreamHQ/pipedream/tree/master/components/reddit',
      checked: '2026-11-27',
    },
  ],
};
