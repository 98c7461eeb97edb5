import type { ProviderEntry } from '../../provider.ts';

export const webex: ProviderEntry = {
  name: 'webex',
  title: 'Webex',
  authorization: 'https://webexapis.com/v1/authorize',
  token: 'https://webexapis.com/v1/access_token',
  identity: { address: 'https://webexapis.com/v1/people/me' },
  scopeSeparator: ' ',
  scopes: ['spark:people_read', 'spark:kms'],
  pkce: 'S256',
  tokenAuth: 'post',
  uid: 'identity.id',
  quirks: [],
  apps: { cisco_webex: ['spark:rooms_read', 'spark:memberships_read', 'spark:messages_read'] },
  redirect: { loopback: 'unknown', localhost: 'unknown' },
  missing: ['revocation address', 'whether the refresh token rotates', 'redirect addresses'],
  sources: [
    { url: 'https://developer.webex.com/create/docs/authentication', checked: '2026-11-27' },
    {
      url: 'https://github.com/SocialiteProviders/Providers/blob/47679c144d6b831ae900d235f044bf243119890c/src/Webex/Provider.php',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/nextauthjs/next-auth/blob/a1a16a5a7780488c7449feece410033f445d0b31/packages/core/src/providers/webex.ts',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/NangoHQ/nango/blob/2f4c0af671e2ca1c43dd4e78f3c369218bf3fc87/packages/providers/providers.yaml',
      checked: '2026-11-27',
    },
  ],
};
