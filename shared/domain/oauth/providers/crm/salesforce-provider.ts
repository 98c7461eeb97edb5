import type { ProviderEntry } from '../../provider.ts';

export const salesforce: ProviderEntry = {
  name: 'salesforce',
  title: 'Salesforce',
  authorization: 'https://login.salesforce.com/services/oauth2/authorize',
  token: 'https://login.salesforce.com/services/oauth2/token',
  revocation: 'https://login.salesforce.com/services/oauth2/revoke',
  identity: { address: 'https://login.salesforce.com/services/oauth2/userinfo' },
  scopeSeparator: ' ',
  scopes: ['api', 'id', 'refresh_token'],
  pkce: 'S256',
  tokenAuth: 'post',
  lifetime: 7200,
  uid: 'token.id',
  fields: { instance_url: 'token.instance_url' },
  quirks: [],
  apps: { salesforce: [], salesforce_rest_api: [] },
  redirect: { loopback: 'unknown', localhost: 'yes' },
  note: 'The response says no lifetime; it is the session timeout of the organization, 2 hours by default. Sandboxes need addresses at test.salesforce.com.',
  missing: [
    'whether the refresh token rotates (a setting of the app)',
    'http://127.0.0.1 as redirect address',
  ],
  sources: [
    {
      url: 'https://help.salesforce.com/apex/HTViewHelpDoc?id=remoteaccess_oauth_refresh_token_flow.htm&language=en_US',
      checked: '2026-11-27',
    },
    {
      url: 'https://developer.salesforce.com/docs/atlas.en-us.198.0.api_rest.meta/api_rest/intro_understanding_refresh_token_oauth.htm',
      checked: '2026-11-27',
    },
    { url: 'https://jsforce.github.io/jsforce/types/oauth2.TokenResponse.html', checked: '2026-11-27' },
    {
      url: 'https://github.com/python-social-auth/social-core/blob/3bb06abdb21bc095a6e893ef7a63b63c3ce0a6a7/social_core/backends/salesforce.py',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/better-auth/better-auth/blob/451aa4b6e57c9d4989bebc61ebb0892510e8a14e/packages/core/src/social-providers/salesforce.ts',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/PipedreamHQ/pipedream/tree/master/components/salesforce_rest_api',
      checked: '2026-11-27',
    },
  ],
};
