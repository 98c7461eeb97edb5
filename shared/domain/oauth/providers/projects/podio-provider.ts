import type { ProviderEntry } from '../../provider.ts';

export const podio: ProviderEntry = {
  name: 'podio',
  title: 'Podio',
  authorization: 'https://podio.com/oauth/authorize',
  token: 'https://api.podio.com/oauth/token/v2',
  identity: { address: 'https://api.podio.com/user/status' },
  scopeSeparator: ' ',
  scopes: [],
  pkce: 'none',
  tokenAuth: 'json',
  lifetime: 28_800,
  uid: 'identity.profile.user_id',
  quirks: [],
  apps: { podio: [] },
  redirect: { loopback: 'unknown', localhost: 'unknown' },
  note: 'The redirect address must be on the domain that the API key was made for.',
  missing: [
    'scopes for reading',
    'revocation address',
    'whether the refresh token rotates',
    'redirect addresses',
  ],
  sources: [
    { url: 'https://developers.podio.com/authentication/server_side', checked: '2026-11-27' },
    { url: 'https://developers.podio.com/authentication', checked: '2026-11-27' },
    {
      url: 'https://developers.podio.com/doc/oauth-authorization/get-access-token-22359',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/SocialiteProviders/Providers/blob/47679c144d6b831ae900d235f044bf243119890c/src/Podio/Provider.php',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/PipedreamHQ/pipedream/tree/master/components/podio',
      checked: '2026-11-27',
    },
  ],
};
