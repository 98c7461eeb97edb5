import type { ProviderEntry } from '../../provider.ts';

export const asana: ProviderEntry = {
  name: 'asana',
  title: 'Asana',
  authorization: 'https://app.asana.com/-/oauth_authorize',
  token: 'https://app.asana.com/-/oauth_token',
  revocation: 'https://app.asana.com/-/oauth_revoke',
  identity: { address: 'https://app.asana.com/api/1.0/users/me' },
  scopeSeparator: ' ',
  scopes: ['users:read'],
  pkce: 'S256',
  tokenAuth: 'post',
  lifetime: 3600,
  refreshToken: 'stays',
  uid: 'identity.data.gid',
  quirks: [],
  apps: { asana: ['workspaces:read', 'projects:read', 'tasks:read'] },
  redirect: { loopback: 'unknown', localhost: 'unknown' },
  note: 'An app with full permissions takes no scopes: register the client with these scopes, or with `default`.',
};
