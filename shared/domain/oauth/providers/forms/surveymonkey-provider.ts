import type { ProviderEntry } from '../../provider.ts';

export const surveymonkey: ProviderEntry = {
  name: 'surveymonkey',
  title: 'SurveyMonkey',
  authorization: 'https://api.surveymonkey.com/oauth/authorize',
  token: 'https://api.surveymonkey.com/oauth/token',
  identity: { address: 'https://api.surveymonkey.com/v3/users/me' },
  scopeSeparator: ' ',
  scopes: [],
  pkce: 'none',
  tokenAuth: 'post',
  lifetime: 'never',
  refreshToken: 'none',
  uid: 'identity.id',
  quirks: [],
  apps: { survey_monkey: [] },
  redirect: { loopback: 'unknown', localhost: 'unknown' },
  note: 'Scopes are chosen in the app, not asked for; the identity address needs `users_read`.',
};
