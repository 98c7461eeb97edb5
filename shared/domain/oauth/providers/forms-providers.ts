import type { ProviderFacts } from '../provider.ts';

export const formsProviders: Record<string, ProviderFacts> = {
  calendly: {
    authorization: 'https://auth.calendly.com/oauth/authorize',
    token: 'https://auth.calendly.com/oauth/token',
    revocation: 'https://auth.calendly.com/oauth/revoke',
    identity: { address: 'https://api.calendly.com/users/me' },
    scopes: ['users:read'],
    pkce: 'S256',
    lifetime: 7200,
    refreshToken: 'rotates',
    uid: 'token.owner',
    apps: {
      calendly_v2: [
        'event_types:read',
        'organizations:read',
        'scheduled_events:read',
        'webhooks:read',
        'webhooks:write',
      ],
    },
    redirect: { loopback: 'no', localhost: 'no' },
    note: 'An app of the sandbox takes http://localhost.',
  },
  eventbrite: {
    authorization: 'https://www.eventbrite.com/oauth/authorize',
    token: 'https://www.eventbrite.com/oauth/token',
    identity: { address: 'https://www.eventbriteapi.com/v3/users/me/' },
    lifetime: 'never',
    refreshToken: 'none',
    uid: 'identity.id',
    note: 'There are no scopes.',
  },
  surveymonkey: {
    title: 'SurveyMonkey',
    authorization: 'https://api.surveymonkey.com/oauth/authorize',
    token: 'https://api.surveymonkey.com/oauth/token',
    identity: { address: 'https://api.surveymonkey.com/v3/users/me' },
    lifetime: 'never',
    refreshToken: 'none',
    uid: 'identity.id',
    apps: { survey_monkey: [] },
    note: 'Scopes are chosen in the app, not asked for; the identity address needs `users_read`.',
  },
  typeform: {
    authorization: 'https://api.typeform.com/oauth/authorize',
    token: 'https://api.typeform.com/oauth/token',
    identity: { address: 'https://api.typeform.com/me' },
    scopes: ['offline', 'accounts:read'],
    refreshToken: 'rotates',
    uid: 'identity.user_id',
    apps: {
      typeform: ['forms:read', 'responses:read', 'workspaces:read', 'webhooks:read', 'webhooks:write'],
    },
  },
};
