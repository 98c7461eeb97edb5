import type { ProviderEntry } from '../../provider.ts';

export const ringcentral: ProviderEntry = {
  name: 'ringcentral',
  title: 'RingCentral',
  authorization: 'https://platform.ringcentral.com/restapi/oauth/authorize',
  token: 'https://platform.ringcentral.com/restapi/oauth/token',
  revocation: 'https://platform.ringcentral.com/restapi/oauth/revoke',
  identity: { address: 'https://platform.ringcentral.com/restapi/v1.0/account/~/extension/~' },
  scopeSeparator: ' ',
  scopes: [],
  pkce: 'S256',
  tokenAuth: 'basic',
  refreshToken: 'rotates',
  uid: 'token.owner_id',
  quirks: [],
  apps: { ringcentral: [] },
  redirect: { loopback: 'unknown', localhost: 'yes' },
  note: 'Permissions are chosen in the app, not asked for. A refresh token ends after 7 days without a renewal.',
};
