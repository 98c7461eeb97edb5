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
  missing: ['revocation (the address takes `access_token`)', 'the error of a void refresh token'],
  sources: [
    { url: 'https://developers.strava.com/docs/authentication', checked: '2026-11-27' },
    {
      url: 'https://github.com/stravalib/stravalib/blob/96d8ef63c7c80d2ebcb241ed6c20b814eaaad82d/docs/get-started/authenticate-with-strava.md',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/nextauthjs/next-auth/blob/a1a16a5a7780488c7449feece410033f445d0b31/packages/core/src/providers/strava.ts',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/python-social-auth/social-core/blob/3bb06abdb21bc095a6e893ef7a63b63c3ce0a6a7/social_core/backends/strava.py',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/NangoHQ/nango/blob/2f4c0af671e2ca1c43dd4e78f3c369218bf3fc87/packages/providers/providers.yaml',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/PipedreamHQ/pipedream/tree/master/components/strava',
      checked: '2026-11-27',
    },
  ],
};
