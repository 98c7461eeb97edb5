import type { ProviderEntry } from '../../provider.ts';

export const zoom: ProviderEntry = {
  name: 'zoom',
  title: 'Zoom',
  authorization: 'https://zoom.us/oauth/authorize',
  token: 'https://zoom.us/oauth/token',
  revocation: 'https://zoom.us/oauth/revoke',
  identity: { address: 'https://api.zoom.us/v2/users/me' },
  scopeSeparator: ' ',
  scopes: [],
  pkce: 'S256',
  tokenAuth: 'basic',
  refreshToken: 'rotates',
  uid: 'identity.id',
  quirks: [],
  apps: { zoom: [], zoom_admin: [] },
  redirect: { loopback: 'no', localhost: 'no' },
  note: 'Scopes are chosen in the Marketplace app, not asked for; the identity address needs `user:read:user`. Only a public client, without a secret, takes http://127.0.0.1.',
};
