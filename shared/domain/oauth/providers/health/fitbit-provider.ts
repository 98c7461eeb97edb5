import type { ProviderEntry } from '../../provider.ts';

export const fitbit: ProviderEntry = {
  name: 'fitbit',
  title: 'Fitbit',
  authorization: 'https://www.fitbit.com/oauth2/authorize',
  token: 'https://api.fitbit.com/oauth2/token',
  revocation: 'https://api.fitbit.com/oauth2/revoke',
  identity: { address: 'https://api.fitbit.com/1/user/-/profile.json' },
  scopeSeparator: ' ',
  scopes: ['profile'],
  pkce: 'S256',
  tokenAuth: 'basic',
  lifetime: 28_800,
  refreshToken: 'rotates',
  uid: 'token.user_id',
  quirks: ['error-in-list'],
  apps: { fitbit: ['activity', 'heartrate', 'sleep'] },
  redirect: { loopback: 'unknown', localhost: 'unknown' },
  note: 'Fitbit announced the end of this Web API for September 2026, in favour of the Google Health API.',
  missing: ['whether the API still answers', 'redirect addresses'],
  sources: [
    {
      url: 'https://github.com/orcasgit/python-fitbit/blob/6a0a7cba26c26e6c8096bf51d4cf7f19e113ed96/fitbit/compliance.py',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/SocialiteProviders/Providers/blob/47679c144d6b831ae900d235f044bf243119890c/src/Fitbit/Provider.php',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/markbates/goth/blob/9c7a2826a6e2a481a2947b6746ab454d0f82a565/providers/fitbit/fitbit.go',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/python-social-auth/social-core/blob/3bb06abdb21bc095a6e893ef7a63b63c3ce0a6a7/social_core/backends/fitbit.py',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/NangoHQ/nango/blob/2f4c0af671e2ca1c43dd4e78f3c369218bf3fc87/packages/providers/providers.yaml',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/PipedreamHQ/pipedream/tree/master/components/fitbit',
      checked: '2026-11-27',
    },
  ],
};
