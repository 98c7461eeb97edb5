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
};
