import type { ProviderEntry } from '../../provider.ts';

export const clickup: ProviderEntry = {
  name: 'clickup',
  title: 'ClickUp',
  authorization: 'https://app.clickup.com/api',
  token: 'https://api.clickup.com/api/v2/oauth/token',
  identity: { address: 'https://api.clickup.com/api/v2/user' },
  scopeSeparator: ' ',
  scopes: [],
  pkce: 'none',
  tokenAuth: 'post',
  lifetime: 'never',
  refreshToken: 'none',
  uid: 'identity.user.id',
  quirks: [],
  apps: { clickup: [] },
  redirect: { loopback: 'unknown', localhost: 'unknown' },
  note: 'There are no scopes: the user chooses workspaces.',
  missing: ['revocation address', 'redirect addresses'],
  sources: [
    { url: 'https://developer.clickup.com/docs/authentication', checked: '2026-11-27' },
    {
      url: 'https://github.com/SocialiteProviders/Providers/blob/47679c144d6b831ae900d235f044bf243119890c/src/ClickUp/Provider.php',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/NangoHQ/nango/blob/2f4c0af671e2ca1c43dd4e78f3c369218bf3fc87/packages/providers/providers.yaml',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/PipedreamHQ/pipedream/tree/master/components/clickup',
      checked: '2026-11-27',
    },
  ],
};
