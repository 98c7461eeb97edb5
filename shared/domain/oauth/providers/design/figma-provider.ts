import type { ProviderEntry } from '../../provider.ts';

export const figma: ProviderEntry = {
  name: 'figma',
  title: 'Figma',
  authorization: 'https://www.figma.com/oauth',
  token: 'https://api.figma.com/v1/oauth/token',
  refresh: 'https://api.figma.com/v1/oauth/refresh',
  identity: { address: 'https://api.figma.com/v1/me' },
  scopeSeparator: ' ',
  scopes: ['current_user:read'],
  pkce: 'S256',
  tokenAuth: 'basic',
  refreshToken: 'stays',
  uid: 'identity.id',
  quirks: [],
  apps: { figma: ['file_content:read', 'file_comments:read'] },
  redirect: { loopback: 'unknown', localhost: 'unknown' },
  note: 'The code must be exchanged within 30 seconds.',
};
