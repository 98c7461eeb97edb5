import type { ProviderEntry } from '../../provider.ts';

export const todoist: ProviderEntry = {
  name: 'todoist',
  title: 'Todoist',
  authorization: 'https://app.todoist.com/oauth/authorize',
  token: 'https://api.todoist.com/oauth/access_token',
  identity: { address: 'https://api.todoist.com/api/v1/user' },
  scopeSeparator: ',',
  scopes: ['data:read'],
  pkce: 'none',
  tokenAuth: 'post',
  lifetime: 'never',
  refreshToken: 'rotates',
  uid: 'identity.id',
  quirks: [],
  apps: { todoist: ['data:read'] },
  redirect: { loopback: 'unknown', localhost: 'unknown' },
  note: 'Access tokens expire only for apps with refresh tokens, the default of new apps; then the response says it.',
};
