import type { ProviderEntry } from '../../provider.ts';

export const ringcentral: ProviderEntry = {
  name: 'ringcentral',
  title: 'RingCentral',
  authorization: 'https://platform.ringcentral.com/restapi/oauth/authorize',
  token: 'https://platform.ringcentral.com/restapi/oauth/token',
  revocation: 'https://platform.ringcentral.com/restapi/oauth/revoke',
  identity: { address: 'https://platform.ringcentral.com/restapi/v1.0/account/~/extension/~' },
  scopeSeparator: ' ',
  scopes: [],
  pkce: 'S256',
  tokenAuth: 'basic',
  refreshToken: 'rotates',
  uid: 'token.owner_id',
  quirks: [],
  apps: { ringcentral: [] },
  redirect: { loopback: 'unknown', localhost: 'yes' },
  note: 'Permissions are chosen in the app, not asked for. A refresh token ends after 7 days without a renewal.',
  missing: ['http://127.0.0.1 as redirect address'],
  sources: [
    {
      url: 'https://github.com/ringcentral/ringcentral-api-docs/blob/097261582d992d846914be2d81dad1edeb40faf6/docs/authentication/refresh-tokens.md',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/ringcentral/ringcentral-api-docs/blob/64067a50d93c3c8497f9631ae4c682bd9dc99f5e/docs/authentication/auth-code-pkce-flow.md',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/ringcentral/ringcentral-api-docs/blob/64067a50d93c3c8497f9631ae4c682bd9dc99f5e/docs/authentication/quick-start.md',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/ringcentral/ringcentral-js/blob/9aa36b68c3b89fe2d47b3f4633e11ceee0558179/sdk/src/platform/Platform.ts',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/NangoHQ/nango/blob/2f4c0af671e2ca1c43dd4e78f3c369218bf3fc87/packages/providers/providers.yaml',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/PipedreamHQ/pipedream/tree/master/components/ringcentral',
      checked: '2026-11-27',
    },
  ],
};
