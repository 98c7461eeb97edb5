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
  missing: [
    'accounts of the data centres EU and CA, whose API has another host',
    'revocation address',
    'redirect addresses',
  ],
  sources: [
    {
      url: 'https://github.com/SurveyMonkey/public_api_docs/blob/fc28bbc62c30fb37fb76d9d0f7fab71306e5866a/includes/_overview.md',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/python-social-auth/social-core/blob/3bb06abdb21bc095a6e893ef7a63b63c3ce0a6a7/social_core/backends/surveymonkey.py',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/PipedreamHQ/pipedream/tree/master/components/survey_monkey',
      checked: '2026-11-27',
    },
  ],
};
