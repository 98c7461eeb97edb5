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
};
