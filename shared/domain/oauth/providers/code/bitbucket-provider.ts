import type { ProviderEntry } from '../../provider.ts';

export const bitbucket: ProviderEntry = {
  name: 'bitbucket',
  title: 'Bitbucket',
  authorization: 'https://bitbucket.org/site/oauth2/authorize',
  token: 'https://bitbucket.org/site/oauth2/access_token',
  identity: { address: 'https://api.bitbucket.org/2.0/user' },
  scopeSeparator: ' ',
  scopes: ['account'],
  granted: { path: 'token.scopes', separator: ' ' },
  pkce: 'none',
  tokenAuth: 'basic',
  lifetime: 7200,
  uid: 'identity.account_id',
  quirks: [],
  apps: { bitbucket: ['repository', 'pullrequest', 'issue', 'webhook'] },
  redirect: { loopback: 'unknown', localhost: 'unknown' },
  missing: ['revocation address', 'whether the refresh token rotates', 'redirect addresses'],
  sources: [
    { url: 'https://developer.atlassian.com/cloud/bitbucket/oauth-2', checked: '2026-11-27' },
    {
      url: 'https://github.com/nextauthjs/next-auth/blob/a1a16a5a7780488c7449feece410033f445d0b31/packages/core/src/providers/bitbucket.ts',
      checked: '2026-11-27',
    },
  ],
};
