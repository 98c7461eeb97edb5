import type { ProviderEntry } from '../../provider.ts';

export const zendesk: ProviderEntry = {
  name: 'zendesk',
  title: 'Zendesk',
  authorization: 'https://{subdomain}.zendesk.com/oauth/authorizations/new',
  token: 'https://{subdomain}.zendesk.com/oauth/tokens',
  identity: { address: 'https://{subdomain}.zendesk.com/api/v2/users/me.json' },
  placeholders: { subdomain: { title: 'Subdomain of zendesk.com', field: 'subdomain' } },
  scopeSeparator: ' ',
  scopes: ['read'],
  pkce: 'S256',
  tokenAuth: 'json',
  lifetime: 'never',
  refreshToken: 'rotates',
  uid: 'identity.user.id',
  quirks: [],
  apps: { zendesk: ['read'] },
  redirect: { loopback: 'yes', localhost: 'yes' },
  note: 'Access tokens expire only where the client asks for it; then the response has `expires_in` and a refresh token. Sources that register webhooks need the scope `write`.',
};
