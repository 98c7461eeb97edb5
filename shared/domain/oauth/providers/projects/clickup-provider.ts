import type { ProviderEntry } from '../../provider.ts';

export const clickup: ProviderEntry = {
  name: 'clickup',
  title: 'ClickUp',
  authorization: 'https://app.clickup.com/api',
  token: 'https://api.clickup.com/api/v2/oauth/token',
  identity: { address: 'https://api.clickup.com/api/v2/user' },
  scopeSeparator: ' ',
  scopes: [],
  pkce: 'none',
  tokenAuth: 'post',
  lifetime: 'never',
  refreshToken: 'none',
  uid: 'identity.user.id',
  quirks: [],
  apps: { clickup: [] },
  redirect: { loopback: 'unknown', localhost: 'unknown' },
  note: 'There are no scopes: the user chooses workspaces.',
};
