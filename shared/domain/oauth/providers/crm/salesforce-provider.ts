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
};
