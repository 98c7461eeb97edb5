import type { ProviderEntry } from '../../provider.ts';

export const monday: ProviderEntry = {
  name: 'monday',
  title: 'monday.com',
  authorization: 'https://auth.monday.com/oauth2/authorize',
  token: 'https://auth.monday.com/oauth_ms/oauth/token',
  revocation: 'https://auth.monday.com/oauth_ms/oauth/revoke',
  identity: {
    address: 'https://api.monday.com/v2',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"query":"{ me { id } }"}',
  },
  scopeSeparator: ' ',
  scopes: ['me:read'],
  pkce: 'S256',
  tokenAuth: 'json',
  refreshToken: 'rotates',
  uid: 'identity.data.me.id',
  quirks: ['expiry-in-jwt', 'json-revocation'],
  apps: { monday: ['boards:read', 'updates:read', 'users:read', 'workspaces:read', 'webhooks:write'] },
  redirect: { loopback: 'unknown', localhost: 'unknown' },
  note: 'The app version needs the new OAuth flow switched on; the older one ended on 1 October 2026.',
};
