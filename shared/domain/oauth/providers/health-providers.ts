import type { ProviderFacts } from '../provider.ts';

export const healthProviders: Record<string, ProviderFacts> = {
  fitbit: {
    authorization: 'https://www.fitbit.com/oauth2/authorize',
    token: 'https://api.fitbit.com/oauth2/token',
    revocation: 'https://api.fitbit.com/oauth2/revoke',
    identity: { address: 'https://api.fitbit.com/1/user/-/profile.json' },
    scopes: ['profile'],
    pkce: 'S256',
    tokenAuth: 'basic',
    lifetime: 28_800,
    refreshToken: 'rotates',
    uid: 'token.user_id',
    quirks: ['error-in-list'],
    apps: { fitbit: ['activity', 'heartrate', 'sleep'] },
    note: 'Fitbit announced the end of this Web API for September 2026, in favour of the Google Health API.',
  },
  strava: {
    authorization: 'https://www.strava.com/oauth/authorize',
    token: 'https://www.strava.com/api/v3/oauth/token',
    identity: { address: 'https://www.strava.com/api/v3/athlete' },
    scopeSeparator: ',',
    scopes: ['read'],
    granted: { path: 'callback.scope', separator: ',' },
    authorizationParameters: { approval_prompt: 'auto' },
    lifetime: 21_600,
    refreshToken: 'rotates',
    uid: 'identity.id',
    apps: { strava: ['activity:read'] },
    redirect: { loopback: 'yes', localhost: 'yes' },
  },
};
