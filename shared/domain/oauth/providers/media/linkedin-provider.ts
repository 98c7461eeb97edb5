import type { ProviderEntry } from '../../provider.ts';

export const linkedin: ProviderEntry = {
  name: 'linkedin',
  title: 'LinkedIn',
  authorization: 'https://www.linkedin.com/oauth/v2/authorization',
  token: 'https://www.linkedin.com/oauth/v2/accessToken',
  revocation: 'https://www.linkedin.com/oauth/v2/revoke',
  identity: { address: 'https://api.linkedin.com/v2/userinfo' },
  issuer: 'https://www.linkedin.com/oauth',
  scopeSeparator: ' ',
  scopes: ['openid', 'profile'],
  pkce: 'none',
  tokenAuth: 'post',
  lifetime: 5_184_000,
  refreshToken: 'stays',
  uid: 'identity.sub',
  quirks: ['no-token-type'],
  apps: { linkedin: [] },
  redirect: { loopback: 'unknown', localhost: 'yes' },
  note: 'Only approved partners get refresh tokens; other accounts are connected anew every 60 days.',
  missing: [
    'scopes for reading (they depend on the products that LinkedIn grants)',
    'http://127.0.0.1 as redirect address',
  ],
  sources: [
    {
      url: 'https://learn.microsoft.com/en-us/linkedin/shared/authentication/authorization-code-flow',
      checked: '2026-11-27',
    },
    {
      url: 'https://learn.microsoft.com/en-us/linkedin/shared/authentication/programmatic-refresh-tokens',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/better-auth/better-auth/blob/451aa4b6e57c9d4989bebc61ebb0892510e8a14e/packages/core/src/social-providers/linkedin.ts',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/nextauthjs/next-auth/blob/a1a16a5a7780488c7449feece410033f445d0b31/packages/core/src/providers/linkedin.ts',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/PipedreamHQ/pipedream/tree/master/components/linkedin',
      checked: '2026-11-27',
    },
  ],
};
