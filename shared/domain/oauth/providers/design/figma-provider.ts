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
  missing: ['revocation address', 'redirect addresses'],
  sources: [
    {
      url: 'https://github.com/better-auth/better-auth/blob/451aa4b6e57c9d4989bebc61ebb0892510e8a14e/packages/core/src/social-providers/figma.ts',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/NangoHQ/nango/blob/2f4c0af671e2ca1c43dd4e78f3c369218bf3fc87/packages/providers/providers.yaml',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/PipedreamHQ/pipedream/tree/master/components/figma',
      checked: '2026-11-27',
    },
  ],
};
