import type { ProviderEntry } from '../../provider.ts';

export const intercom: ProviderEntry = {
  name: 'intercom',
  title: 'Intercom',
  authorization: 'https://app.intercom.com/oauth',
  token: 'https://api.intercom.io/auth/eagle/token',
  identity: { address: 'https://api.intercom.io/me' },
  scopeSeparator: ' ',
  scopes: [],
  pkce: 'none',
  tokenAuth: 'post',
  lifetime: 'never',
  refreshToken: 'none',
  uid: 'identity.id',
  quirks: [],
  apps: { intercom: [] },
  redirect: { loopback: 'no', localhost: 'no' },
  note: 'Scopes are chosen in the app, not asked for. Workspaces of the regions EU and AU have addresses of their own.',
  missing: ['revocation address'],
  sources: [
    {
      url: 'https://github.com/SocialiteProviders/Providers/blob/47679c144d6b831ae900d235f044bf243119890c/src/Intercom/Provider.php',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/NangoHQ/nango/blob/2f4c0af671e2ca1c43dd4e78f3c369218bf3fc87/packages/providers/providers.yaml',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/PipedreamHQ/pipedream/tree/master/components/intercom',
      checked: '2026-11-27',
    },
  ],
};
