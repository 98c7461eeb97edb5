import type { ProviderEntry } from '../../provider.ts';

export const webflow: ProviderEntry = {
  name: 'webflow',
  title: 'Webflow',
  authorization: 'https://webflow.com/oauth/authorize',
  token: 'https://api.webflow.com/oauth/access_token',
  identity: { address: 'https://api.webflow.com/v2/token/authorized_by' },
  scopeSeparator: ' ',
  scopes: ['authorized_user:read'],
  pkce: 'none',
  tokenAuth: 'post',
  lifetime: 'never',
  refreshToken: 'none',
  uid: 'identity.id',
  quirks: [],
  apps: { webflow: ['cms:read', 'ecommerce:read', 'forms:read', 'sites:read'] },
  redirect: { loopback: 'unknown', localhost: 'unknown' },
  missing: ['revocation (the address takes fields of other names)', 'redirect addresses'],
  sources: [
    {
      url: 'https://github.com/SocialiteProviders/Providers/blob/47679c144d6b831ae900d235f044bf243119890c/src/Webflow/Provider.php',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/NangoHQ/nango/blob/2f4c0af671e2ca1c43dd4e78f3c369218bf3fc87/packages/providers/providers.yaml',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/PipedreamHQ/pipedream/tree/master/components/webflow',
      checked: '2026-11-27',
    },
  ],
};
