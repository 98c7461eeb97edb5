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
  missing: ['revocation (the address wants the id of the account)', 'redirect addresses'],
  sources: [
    { url: 'https://docs.stripe.com/connect/oauth-standard-accounts', checked: '2026-11-27' },
    {
      url: 'https://github.com/python-social-auth/social-core/blob/3bb06abdb21bc095a6e893ef7a63b63c3ce0a6a7/social_core/backends/stripe.py',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/SocialiteProviders/Providers/blob/47679c144d6b831ae900d235f044bf243119890c/src/Stripe/Provider.php',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/PipedreamHQ/pipedream/tree/master/components/stripe',
      checked: '2026-11-27',
    },
  ],
};
