import type { ProviderEntry } from '../../provider.ts';

export const square: ProviderEntry = {
  name: 'square',
  title: 'Square',
  authorization: 'https://connect.squareup.com/oauth2/authorize',
  token: 'https://connect.squareup.com/oauth2/token',
  identity: { address: 'https://connect.squareup.com/v2/merchants/me' },
  scopeSeparator: ' ',
  scopes: ['MERCHANT_PROFILE_READ'],
  pkce: 'none',
  tokenAuth: 'json',
  authorizationParameters: { session: 'false' },
  lifetime: 2_592_000,
  refreshToken: 'stays',
  uid: 'token.merchant_id',
  quirks: ['expires-at'],
  apps: { square: ['CUSTOMERS_READ', 'INVOICES_READ', 'ITEMS_READ', 'ORDERS_READ', 'PAYMENTS_READ'] },
  redirect: { loopback: 'no', localhost: 'no' },
  note: 'PKCE is for clients without a secret. An app of the sandbox takes http://localhost and has addresses at connect.squareupsandbox.com.',
  missing: ['revocation (the address wants the secret in the scheme Client)'],
  sources: [
    { url: 'https://developer.squareup.com/docs/oauth-api/overview', checked: '2026-11-27' },
    {
      url: 'https://developer.squareup.com/reference/square/o-auth/obtain-token',
      checked: '2026-11-27',
    },
    {
      url: 'https://developer.squareup.com/reference/square/objects/ObtainTokenResponse',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/NangoHQ/nango/blob/2f4c0af671e2ca1c43dd4e78f3c369218bf3fc87/packages/providers/providers.yaml',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/PipedreamHQ/pipedream/tree/master/components/square',
      checked: '2026-11-27',
    },
  ],
};
