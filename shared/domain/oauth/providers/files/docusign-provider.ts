import type { ProviderEntry } from '../../provider.ts';

export const docusign: ProviderEntry = {
  name: 'docusign',
  title: 'DocuSign',
  authorization: 'https://account.docusign.com/oauth/auth',
  token: 'https://account.docusign.com/oauth/token',
  identity: { address: 'https://account.docusign.com/oauth/userinfo' },
  scopeSeparator: ' ',
  scopes: ['signature', 'extended'],
  pkce: 'S256',
  tokenAuth: 'basic',
  refreshToken: 'rotates',
  uid: 'identity.sub',
  quirks: [],
  apps: { docusign: ['signature'] },
  redirect: { loopback: 'unknown', localhost: 'unknown' },
  note: 'The scope `extended` lets a refresh token live on with each renewal. Developer accounts need addresses at account-d.docusign.com.',
};
