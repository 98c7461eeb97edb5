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
};
