import type { ProviderEntry } from '../../provider.ts';

export const pipedrive: ProviderEntry = {
  name: 'pipedrive',
  title: 'Pipedrive',
  authorization: 'https://oauth.pipedrive.com/oauth/authorize',
  token: 'https://oauth.pipedrive.com/oauth/token',
  revocation: 'https://oauth.pipedrive.com/oauth/revoke',
  identity: { address: 'https://api.pipedrive.com/v1/users/me' },
  scopeSeparator: ' ',
  scopes: [],
  pkce: 'none',
  tokenAuth: 'basic',
  refreshToken: 'stays',
  uid: 'identity.data.id',
  fields: { api_domain: 'token.api_domain' },
  quirks: [],
  apps: { pipedrive: [] },
  redirect: { loopback: 'unknown', localhost: 'unknown' },
  note: 'Scopes are chosen in the app, not asked for. An app has one redirect address.',
};
