import type { ProviderEntry } from '../../provider.ts';

export const github: ProviderEntry = {
  name: 'github',
  title: 'GitHub',
  authorization: 'https://github.com/login/oauth/authorize',
  token: 'https://github.com/login/oauth/access_token',
  identity: { address: 'https://api.github.com/user' },
  scopeSeparator: ' ',
  scopes: ['read:user'],
  granted: { path: 'token.scope', separator: ',' },
  pkce: 'S256',
  tokenAuth: 'post',
  lifetime: 'never',
  refreshToken: 'rotates',
  voidErrors: ['bad_refresh_token'],
  errorCodes: ['bad_verification_code', 'incorrect_client_credentials', 'redirect_uri_mismatch'],
  uid: 'identity.id',
  quirks: ['error-with-status-200', 'form-encoded-answer'],
  apps: { github: ['repo', 'read:org', 'notifications'] },
  redirect: { loopback: 'yes', localhost: 'yes' },
  note: 'Access tokens of an OAuth app do not expire; those of a GitHub App last 8 hours and have refresh tokens.',
  missing: ['revocation (the address takes DELETE and names the client in its path)'],
  sources: [
    {
      url: 'https://docs.github.com/en/apps/oauth-apps/maintaining-oauth-apps/troubleshooting-oauth-app-access-token-request-errors',
      checked: '2026-11-29',
    },
    {
      url: 'https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/github/docs/blob/2e15944ca6efa9d1d7524afbf4fa49797f59356c/content/apps/creating-github-apps/authenticating-with-a-github-app/refreshing-user-access-tokens.md',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/better-auth/better-auth/blob/451aa4b6e57c9d4989bebc61ebb0892510e8a14e/packages/core/src/social-providers/github.ts',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/nextauthjs/next-auth/blob/a1a16a5a7780488c7449feece410033f445d0b31/packages/core/src/providers/github.ts',
      checked: '2026-11-27',
    },
  ],
};
