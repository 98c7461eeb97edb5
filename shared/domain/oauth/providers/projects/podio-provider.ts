import type { ProviderEntry } from '../../provider.ts';

export const podio: ProviderEntry = {
  name: 'podio',
  title: 'Podio',
  authorization: 'https://podio.com/oauth/authorize',
  token: 'https://api.podio.com/oauth/token/v2',
  identity: { address: 'https://api.podio.com/user/status' },
  scopeSeparator: ' ',
  scopes: [],
  pkce: 'none',
  tokenAuth: 'json',
  lifetime: 28_800,
  uid: 'identity.profile.user_id',
  quirks: [],
  apps: { podio: [] },
  redirect: { loopback: 'unknown', localhost: 'unknown' },
  note: 'The redirect address must be on the domain that the API key was made for.',
};
