import type { ProviderEntry } from '../../provider.ts';

export const calendly: ProviderEntry = {
  name: 'calendly',
  title: 'Calendly',
  authorization: 'https://auth.calendly.com/oauth/authorize',
  token: 'https://auth.calendly.com/oauth/token',
  revocation: 'https://auth.calendly.com/oauth/revoke',
  identity: { address: 'https://api.calendly.com/users/me' },
  scopeSeparator: ' ',
  scopes: ['users:read'],
  pkce: 'S256',
  tokenAuth: 'post',
  lifetime: 7200,
  refreshToken: 'rotates',
  uid: 'token.owner',
  quirks: [],
  apps: {
    calendly_v2: [
      'event_types:read',
      'organizations:read',
      'scheduled_events:read',
      'webhooks:read',
      'webhooks:write',
    ],
  },
  redirect: { loopback: 'no', localhost: 'no' },
  note: 'An app of the sandbox takes http://localhost.',
  missing: ['issuer'],
  sources: [
    {
      url: 'https://developer.calendly.com/docs/authentication/creating-an-oauth-app.md',
      checked: '2026-11-27',
    },
    {
      url: 'https://developer.calendly.com/how-to-access-calendly-data-on-behalf-of-authenticated-users',
      checked: '2026-11-27',
    },
    { url: 'https://developer.calendly.com/refresh-token-rotation-guide', checked: '2026-11-27' },
    {
      url: 'https://github.com/SocialiteProviders/Providers/blob/47679c144d6b831ae900d235f044bf243119890c/src/Calendly/Provider.php',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/NangoHQ/nango/blob/2f4c0af671e2ca1c43dd4e78f3c369218bf3fc87/packages/providers/providers.yaml',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/PipedreamHQ/pipedream/tree/master/components/calendly_v2',
      checked: '2026-11-27',
    },
  ],
};
