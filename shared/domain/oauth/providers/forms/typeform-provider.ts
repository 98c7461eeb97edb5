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
  missing: ['revocation address', 'redirect addresses'],
  sources: [
    {
      url: 'https://github.com/NangoHQ/nango/blob/2f4c0af671e2ca1c43dd4e78f3c369218bf3fc87/packages/providers/providers.yaml',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/PipedreamHQ/pipedream/tree/master/components/typeform',
      checked: '2026-11-27',
    },
  ],
};
