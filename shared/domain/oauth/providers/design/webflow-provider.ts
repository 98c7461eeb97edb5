import type { ProviderEntry } from '../../provider.ts';

export const webflow: ProviderEntry = {
  name: 'webflow',
  title: 'Webflow',
  authorization: 'https://webflow.com/oauth/authorize',
  token: 'https://api.webflow.com/oauth/access_token',
  identity: { address: 'https://api.webflow.com/v2/token/authorized_by' },
  scopeSeparator: ' ',
  scopes: ['authorized_user:read'],
  pkce: 'none',
  tokenAuth: 'post',
  lifetime: 'never',
  refreshToken: 'none',
  uid: 'identity.id',
  quirks: [],
  apps: { webflow: ['cms:read', 'ecommerce:read', 'forms:read', 'sites:read'] },
  redirect: { loopback: 'unknown', localhost: 'unknown' },
};
