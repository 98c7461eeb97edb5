import type { ProviderEntry } from '../../provider.ts';

export const twitter: ProviderEntry = {
  name: 'twitter',
  title: 'X (Twitter), OAuth 2.0',
  authorization: 'https://x.com/i/oauth2/authorize',
  token: 'https://api.x.com/2/oauth2/token',
  revocation: 'https://api.x.com/2/oauth2/revoke',
  identity: { address: 'https://api.x.com/2/users/me' },
  scopeSeparator: ' ',
  scopes: ['offline.access', 'tweet.read', 'users.read'],
  pkce: 'S256',
  tokenAuth: 'basic',
  lifetime: 7200,
  refreshToken: 'rotates',
  uid: 'identity.data.id',
  quirks: [],
  apps: {},
  redirect: { loopback: 'yes', localhost: 'no' },
  note: 'PKCE is required. Public components of the app `twitter` sign with OAuth 1, so no app belongs to this entry by default.',
};
