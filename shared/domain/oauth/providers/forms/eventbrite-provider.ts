import type { ProviderEntry } from '../../provider.ts';

export const eventbrite: ProviderEntry = {
  name: 'eventbrite',
  title: 'Eventbrite',
  authorization: 'https://www.eventbrite.com/oauth/authorize',
  token: 'https://www.eventbrite.com/oauth/token',
  identity: { address: 'https://www.eventbriteapi.com/v3/users/me/' },
  scopeSeparator: ' ',
  scopes: [],
  pkce: 'none',
  tokenAuth: 'post',
  lifetime: 'never',
  refreshToken: 'none',
  uid: 'identity.id',
  quirks: [],
  apps: { eventbrite: [] },
  redirect: { loopback: 'unknown', localhost: 'unknown' },
  note: 'There are no scopes.',
};
