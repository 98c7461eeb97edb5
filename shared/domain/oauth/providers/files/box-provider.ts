import type { ProviderEntry } from '../../provider.ts';

export const box: ProviderEntry = {
  name: 'box',
  title: 'Box',
  authorization: 'https://account.box.com/api/oauth2/authorize',
  token: 'https://api.box.com/oauth2/token',
  revocation: 'https://api.box.com/oauth2/revoke',
  identity: { address: 'https://api.box.com/2.0/users/me' },
  scopeSeparator: ' ',
  scopes: [],
  pkce: 'none',
  tokenAuth: 'post',
  refreshToken: 'rotates',
  uid: 'identity.id',
  quirks: [],
  apps: { box: ['root_readonly'] },
  redirect: { loopback: 'yes', localhost: 'yes' },
  note: 'A refresh token ends after 60 days without a renewal.',
};
