import type { ProviderEntry } from '../../provider.ts';

export const calendly: ProviderEntry = {
  name: 'calendly',
  title: 'Calendly',
  authorization: 'https://auth.calendly.com/oauth/authorize',
  token: 'https://auth.calendly.com/oauth/token',
  revocation: 'https://auth.calendly.com/oauth/revoke',
  identity: { address: 'https://api.calendly.com/users/me' },
  scopeSeparator: ' ',
  scopes: ['users:read'],
  pkce: 'S256',
  tokenAuth: 'post',
  lifetime: 7200,
  refreshToken: 'rotates',
  uid: 'token.owner',
  quirks: [],
  apps: {
    calendly_v2: ['event_types:read', 'organizations:read', 'scheduled_events:read', 'webhooks:read', 'webhooks:write'],
  },
  redirect: { loopback: 'no', localhost: 'no' },
  note: 'An app of the sandbox takes http://localhost.',
};
