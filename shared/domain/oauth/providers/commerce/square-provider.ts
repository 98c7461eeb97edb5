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
};
