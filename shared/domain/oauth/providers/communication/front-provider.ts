import type { ProviderEntry } from '../../provider.ts';

export const front: ProviderEntry = {
  name: 'front',
  title: 'Front',
  authorization: 'https://app.frontapp.com/oauth/authorize',
  token: 'https://app.frontapp.com/oauth/token',
  identity: { address: 'https://api2.frontapp.com/me' },
  scopeSeparator: ' ',
  scopes: [],
  pkce: 'none',
  tokenAuth: 'post',
  uid: 'identity.id',
  quirks: [],
  apps: { frontapp: [] },
  redirect: { loopback: 'unknown', localhost: 'unknown' },
  note: 'Scopes are chosen in the app, not asked for. Only an administrator of Front can authorize an app.',
  missing: ['revocation address', 'whether the refresh token rotates', 'redirect addresses'],
  sources: [
    { url: 'https://dev.frontapp.com/docs/oauth', checked: '2026-11-27' },
    {
      url: 'https://github.com/NangoHQ/nango/blob/2f4c0af671e2ca1c43dd4e78f3c369218bf3fc87/packages/providers/providers.yaml',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/PipedreamHQ/pipedream/tree/master/components/frontapp',
      checked: '2026-11-27',
    },
  ],
};
