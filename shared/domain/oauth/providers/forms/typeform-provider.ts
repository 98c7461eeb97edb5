import type { ProviderEntry } from '../../provider.ts';

export const typeform: ProviderEntry = {
  name: 'typeform',
  title: 'Typeform',
  authorization: 'https://api.typeform.com/oauth/authorize',
  token: 'https://api.typeform.com/oauth/token',
  identity: { address: 'https://api.typeform.com/me' },
  scopeSeparator: ' ',
  scopes: ['offline', 'accounts:read'],
  pkce: 'none',
  tokenAuth: 'post',
  refreshToken: 'rotates',
  uid: 'identity.user_id',
  quirks: [],
  apps: {
    typeform: ['forms:read', 'responses:read', 'workspaces:read', 'webhooks:read', 'webhooks:write'],
  },
  redirect: { loopback: 'unknown', localhost: 'unknown' },
};
