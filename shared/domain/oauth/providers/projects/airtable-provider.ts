import type { ProviderEntry } from '../../provider.ts';

export const airtable: ProviderEntry = {
  name: 'airtable',
  title: 'Airtable',
  authorization: 'https://airtable.com/oauth2/v1/authorize',
  token: 'https://airtable.com/oauth2/v1/token',
  identity: { address: 'https://api.airtable.com/v0/meta/whoami' },
  scopeSeparator: ' ',
  scopes: [],
  pkce: 'S256',
  tokenAuth: 'basic',
  lifetime: 3600,
  refreshToken: 'rotates',
  uid: 'identity.id',
  quirks: [],
  apps: { airtable_oauth: ['data.records:read', 'schema.bases:read', 'webhook:manage'] },
  redirect: { loopback: 'unknown', localhost: 'yes' },
  note: 'PKCE is required.',
  missing: ['revocation address', 'http://127.0.0.1 as redirect address'],
  sources: [
    { url: 'https://airtable.com/developers/web/api/oauth-reference', checked: '2026-11-27' },
    {
      url: 'https://github.com/Airtable/oauth-example/blob/a714e68c2610e3249063b3d92faf064bf4c15188/index.js',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/PipedreamHQ/pipedream/tree/master/components/airtable_oauth',
      checked: '2026-11-27',
    },
  ],
};
