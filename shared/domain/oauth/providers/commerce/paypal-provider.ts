import type { ProviderEntry } from '../../provider.ts';

export const paypal: ProviderEntry = {
  name: 'paypal',
  title: 'PayPal',
  authorization: 'https://www.paypal.com/signin/authorize',
  token: 'https://api-m.paypal.com/v1/oauth2/token',
  identity: { address: 'https://api-m.paypal.com/v1/identity/oauth2/userinfo?schema=paypalv1.1' },
  scopeSeparator: ' ',
  scopes: ['openid'],
  pkce: 'none',
  tokenAuth: 'basic',
  authorizationParameters: { flowEntry: 'static' },
  uid: 'identity.user_id',
  quirks: [],
  apps: { paypal: [] },
  redirect: { loopback: 'unknown', localhost: 'unknown' },
  missing: [
    'the fields that components read',
    'scopes for reading',
    'issuer',
    'revocation address',
    'whether the refresh token rotates',
    'redirect addresses',
  ],
  sources: [
    {
      url: 'https://github.com/better-auth/better-auth/blob/451aa4b6e57c9d4989bebc61ebb0892510e8a14e/packages/core/src/social-providers/paypal.ts',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/SocialiteProviders/Providers/blob/47679c144d6b831ae900d235f044bf243119890c/src/PayPal/Provider.php',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/python-social-auth/social-core/blob/3bb06abdb21bc095a6e893ef7a63b63c3ce0a6a7/social_core/backends/paypal.py',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/NangoHQ/nango/blob/2f4c0af671e2ca1c43dd4e78f3c369218bf3fc87/packages/providers/providers.yaml',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/PipedreamHQ/pipedream/tree/master/components/paypal',
      checked: '2026-11-27',
    },
  ],
};
