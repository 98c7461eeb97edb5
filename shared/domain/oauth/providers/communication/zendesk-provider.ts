import type { ProviderEntry } from '../../provider.ts';

export const zendesk: ProviderEntry = {
  name: 'zendesk',
  title: 'Zendesk',
  authorization: 'https://{subdomain}.zendesk.com/oauth/authorizations/new',
  token: 'https://{subdomain}.zendesk.com/oauth/tokens',
  identity: { address: 'https://{subdomain}.zendesk.com/api/v2/users/me.json' },
  placeholders: { subdomain: { title: 'Subdomain of zendesk.com', field: 'subdomain' } },
  scopeSeparator: ' ',
  scopes: ['read'],
  pkce: 'S256',
  tokenAuth: 'json',
  lifetime: 'never',
  refreshToken: 'rotates',
  uid: 'identity.user.id',
  quirks: [],
  apps: { zendesk: ['read'] },
  redirect: { loopback: 'yes', localhost: 'yes' },
  note: 'Access tokens expire only where the client asks for it; then the response has `expires_in` and a refresh token. Sources that register webhooks need the scope `write`.',
  missing: ['revocation (the address takes DELETE)'],
  sources: [
    {
      url: 'https://support.zendesk.com/hc/en-us/articles/4408845965210-Using-OAuth-authentication-with-your-application',
      checked: '2026-11-27',
    },
    {
      url: 'https://developer.zendesk.com/documentation/api-basics/authentication/refresh-token',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/SocialiteProviders/Providers/blob/47679c144d6b831ae900d235f044bf243119890c/src/Zendesk/Provider.php',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/NangoHQ/nango/blob/2f4c0af671e2ca1c43dd4e78f3c369218bf3fc87/packages/providers/providers.yaml',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/PipedreamHQ/pipedream/tree/master/components/zendesk',
      checked: '2026-11-27',
    },
  ],
};
