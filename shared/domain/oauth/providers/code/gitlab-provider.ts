import type { ProviderEntry } from '../../provider.ts';

export const gitlab: ProviderEntry = {
  name: 'gitlab',
  title: 'GitLab',
  authorization: 'https://gitlab.com/oauth/authorize',
  token: 'https://gitlab.com/oauth/token',
  revocation: 'https://gitlab.com/oauth/revoke',
  identity: { address: 'https://gitlab.com/api/v4/user' },
  scopeSeparator: ' ',
  scopes: ['read_user'],
  pkce: 'S256',
  tokenAuth: 'post',
  lifetime: 7200,
  refreshToken: 'rotates',
  uid: 'identity.id',
  quirks: [],
  apps: { gitlab: ['read_api'] },
  redirect: { loopback: 'yes', localhost: 'yes' },
  note: 'Sources that register webhooks need the scope `api`. Accounts of a GitLab of your own need its addresses and the field `base_api_url`.',
};
