import type { ProviderEntry } from '../../provider.ts';

export const stripe: ProviderEntry = {
  name: 'stripe',
  title: 'Stripe',
  authorization: 'https://connect.stripe.com/oauth/authorize',
  token: 'https://connect.stripe.com/oauth/token',
  identity: { address: 'https://api.stripe.com/v1/account' },
  scopeSeparator: ' ',
  scopes: ['read_only'],
  pkce: 'none',
  tokenAuth: 'post',
  lifetime: 'never',
  refreshToken: 'stays',
  uid: 'token.stripe_user_id',
  fields: { api_key: 'token.access_token' },
  quirks: [],
  apps: { stripe: ['read_only'] },
  redirect: { loopback: 'unknown', localhost: 'unknown' },
  note: 'The client secret is a secret API key of the platform. Stripe recommends OAuth for extensions only.',
};
