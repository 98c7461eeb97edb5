import type { ProviderEntry } from '../../provider.ts';

export const shopify: ProviderEntry = {
  name: 'shopify',
  title: 'Shopify',
  authorization: 'https://{shop}.myshopify.com/admin/oauth/authorize',
  token: 'https://{shop}.myshopify.com/admin/oauth/access_token',
  placeholders: { shop: { title: 'Name of the shop before .myshopify.com', field: 'shop_id' } },
  scopeSeparator: ',',
  scopes: [],
  pkce: 'none',
  tokenAuth: 'post',
  tokenParameters: { expiring: '1' },
  lifetime: 'never',
  refreshToken: 'rotates',
  uid: 'parameter.shop',
  fields: { access_token: 'token.access_token' },
  quirks: ['no-token-type'],
  apps: {
    shopify: ['read_customers', 'read_orders', 'read_products'],
    shopify_developer_app: ['read_customers', 'read_orders', 'read_products'],
  },
  redirect: { loopback: 'unknown', localhost: 'unknown' },
  note: 'Public apps must use access tokens that expire, from 1 January 2027 at the latest.',
  missing: [
    'identity address (the API wants the token in the header X-Shopify-Access-Token)',
    'revocation address',
    'redirect addresses',
  ],
  sources: [
    {
      url: 'https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens/offline-access-tokens',
      checked: '2026-11-27',
    },
    {
      url: 'https://shopify.dev/changelog/posts/offline-access-tokens-now-support-expiry-and-refresh',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/SocialiteProviders/Providers/blob/47679c144d6b831ae900d235f044bf243119890c/src/Shopify/Provider.php',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/NangoHQ/nango/blob/2f4c0af671e2ca1c43dd4e78f3c369218bf3fc87/packages/providers/providers.yaml',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/PipedreamHQ/pipedream/tree/master/components/shopify',
      checked: '2026-11-27',
    },
  ],
};
