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
};
