import type { ProviderEntry } from '../../provider.ts';

export const intercom: ProviderEntry = {
  name: 'intercom',
  title: 'Intercom',
  authorization: 'https://app.intercom.com/oauth',
  token: 'https://api.intercom.io/auth/eagle/token',
  identity: { address: 'https://api.intercom.io/me' },
  scopeSeparator: ' ',
  scopes: [],
  pkce: 'none',
  tokenAuth: 'post',
  lifetime: 'never',
  refreshToken: 'none',
  uid: 'identity.id',
  quirks: [],
  apps: { intercom: [] },
  redirect: { loopback: 'no', localhost: 'no' },
  note: 'Scopes are chosen in the app, not asked for. Workspaces of the regions EU and AU have addresses of their own.',
};
