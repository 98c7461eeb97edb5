import type { ProviderEntry } from '../../provider.ts';

export const fitbit: ProviderEntry = {
  name: 'fitbit',
  title: 'Fitbit',
  authorization: 'https://www.fitbit.com/oauth2/authorize',
  token: 'https://api.fitbit.com/oauth2/token',
  revocation: 'https://api.fitbit.com/oauth2/revoke',
  identity: { address: 'https://api.fitbit.com/1/user/-/profile.json' },
  scopeSeparator: ' ',
  scopes: ['profile'],
  pkce: 'S256',
  tokenAuth: 'basic',
  lifetime: 28_800,
  refreshToken: 'rotates',
  uid: 'token.user_id',
  quirks: ['error-in-list'],
  apps: { fitbit: ['activity', 'heartrate', 'sleep'] },
  redirect: { loopback: 'unknown', localhost: 'unknown' },
  note: 'Fitbit announced the end of this Web API for September 2026, in favour of the Google Health API.',
};
