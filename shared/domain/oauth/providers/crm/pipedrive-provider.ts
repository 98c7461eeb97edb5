import type { ProviderEntry } from '../../provider.ts';

export const pipedrive: ProviderEntry = {
  name: 'pipedrive',
  title: 'Pipedrive',
  authorization: 'https://oauth.pipedrive.com/oauth/authorize',
  token: 'https://oauth.pipedrive.com/oauth/token',
  revocation: 'https://oauth.pipedrive.com/oauth/revoke',
  identity: { address: 'https://api.pipedrive.com/v1/users/me' },
  scopeSeparator: ' ',
  scopes: [],
  pkce: 'none',
  tokenAuth: 'basic',
  refreshToken: 'stays',
  uid: 'identity.data.id',
  fields: { api_domain: 'token.api_domain' },
  quirks: [],
  apps: { pipedrive: [] },
  redirect: { loopback: 'unknown', localhost: 'unknown' },
  note: 'Scopes are chosen in the app, not asked for. An app has one redirect address.',
  missing: ['redirect addresses'],
  sources: [
    { url: 'https://pipedrive.readme.io/docs/marketplace-oauth-authorization', checked: '2026-11-27' },
    { url: 'https://developers.pipedrive.com/docs/api/v1/Oauth', checked: '2026-11-27' },
    {
      url: 'https://github.com/pipedrive/client-nodejs/blob/97e5382fee5ffa825d0bae07a6bafb3af1d5bb77/src/versions/v1/configuration.ts',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/SocialiteProviders/Providers/blob/47679c144d6b831ae900d235f044bf243119890c/src/Pipedrive/Provider.php',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/nextauthjs/next-auth/blob/a1a16a5a7780488c7449feece410033f445d0b31/packages/core/src/providers/pipedrive.ts',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/PipedreamHQ/pipedream/tree/master/components/pipedrive',
      checked: '2026-11-27',
    },
  ],
};
