import type { ProviderEntry } from '../../provider.ts';

export const bitbucket: ProviderEntry = {
  name: 'bitbucket',
  title: 'Bitbucket',
  authorization: 'https://bitbucket.org/site/oauth2/authorize',
  token: 'https://bitbucket.org/site/oauth2/access_token',
  identity: { address: 'https://api.bitbucket.org/2.0/user' },
  scopeSeparator: ' ',
  scopes: ['account'],
  granted: { path: 'token.scopes', separator: ' ' },
  pkce: 'none',
  tokenAuth: 'basic',
  lifetime: 7200,
  uid: 'identity.account_id',
  quirks: [],
  apps: { bitbucket: ['repository', 'pullrequest', 'issue', 'webhook'] },
  redirect: { loopback: 'unknown', localhost: 'unknown' },
};
