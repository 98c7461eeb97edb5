import type { ProviderEntry } from '../../provider.ts';

export const miro: ProviderEntry = {
  name: 'miro',
  title: 'Miro',
  authorization: 'https://miro.com/oauth/authorize',
  token: 'https://api.miro.com/v1/oauth/token',
  identity: { address: 'https://api.miro.com/v1/oauth-token' },
  scopeSeparator: ' ',
  scopes: [],
  pkce: 'none',
  tokenAuth: 'post',
  lifetime: 'never',
  refreshToken: 'rotates',
  uid: 'token.user_id',
  fields: { access_token: 'token.access_token' },
  quirks: [],
  apps: { miro_custom_app: [] },
  redirect: { loopback: 'unknown', localhost: 'unknown' },
  note: 'Scopes are chosen in the app, not asked for. Access tokens expire only where the app says so; then the response says it.',
  missing: ['revocation (the address takes fields of other names)', 'redirect addresses'],
  sources: [
    {
      url: 'https://developers.miro.com/reference/get-new-access-token-using-refresh-token',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/NangoHQ/nango/blob/2f4c0af671e2ca1c43dd4e78f3c369218bf3fc87/packages/providers/providers.yaml',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/PipedreamHQ/pipedream/tree/master/components/miro_custom_app',
      checked: '2026-11-27',
    },
  ],
};
