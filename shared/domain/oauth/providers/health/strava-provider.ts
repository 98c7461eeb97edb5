import type { ProviderEntry } from '../../provider.ts';

export const strava: ProviderEntry = {
  name: 'strava',
  title: 'Strava',
  authorization: 'https://www.strava.com/oauth/authorize',
  token: 'https://www.strava.com/api/v3/oauth/token',
  identity: { address: 'https://www.strava.com/api/v3/athlete' },
  scopeSeparator: ',',
  scopes: ['read'],
  granted: { path: 'callback.scope', separator: ',' },
  pkce: 'none',
  tokenAuth: 'post',
  authorizationParameters: { approval_prompt: 'auto' },
  lifetime: 21_600,
  refreshToken: 'rotates',
  uid: 'identity.id',
  quirks: [],
  apps: { strava: ['activity:read'] },
  redirect: { loopback: 'yes', localhost: 'yes' },
};
