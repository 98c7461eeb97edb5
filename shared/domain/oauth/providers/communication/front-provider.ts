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
};
