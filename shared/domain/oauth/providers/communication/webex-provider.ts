import type { ProviderEntry } from '../../provider.ts';

export const webex: ProviderEntry = {
  name: 'webex',
  title: 'Webex',
  authorization: 'https://webexapis.com/v1/authorize',
  token: 'https://webexapis.com/v1/access_token',
  identity: { address: 'https://webexapis.com/v1/people/me' },
  scopeSeparator: ' ',
  scopes: ['spark:people_read', 'spark:kms'],
  pkce: 'S256',
  tokenAuth: 'post',
  uid: 'identity.id',
  quirks: [],
  apps: { cisco_webex: ['spark:rooms_read', 'spark:memberships_read', 'spark:messages_read'] },
  redirect: { loopback: 'unknown', localhost: 'unknown' },
};
