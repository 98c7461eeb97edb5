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
};
