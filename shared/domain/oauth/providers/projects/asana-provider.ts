import type { ProviderEntry } from '../../provider.ts';

export const asana: ProviderEntry = {
  name: 'asana',
  title: 'Asana',
  authorization: 'https://app.asana.com/-/oauth_authorize',
  token: 'https://app.asana.com/-/oauth_token',
  revocation: 'https://app.asana.com/-/oauth_revoke',
  identity: { address: 'https://app.asana.com/api/1.0/users/me' },
  scopeSeparator: ' ',
  scopes: ['users:read'],
  pkce: 'S256',
  tokenAuth: 'post',
  lifetime: 3600,
  refreshToken: 'stays',
  uid: 'identity.data.gid',
  quirks: [],
  apps: { asana: ['workspaces:read', 'projects:read', 'tasks:read'] },
  redirect: { loopback: 'unknown', localhost: 'unknown' },
  note: 'An app with full permissions takes no scopes: register the client with these scopes, or with `default`.',
  missing: ['scopes for webhooks', 'redirect addresses'],
  sources: [
    { url: 'https://developers.asana.com/docs/oauth', checked: '2026-11-27' },
    {
      url: 'https://developers.asana.com/docs/getting-started-with-asana-oauth',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/Asana/developer-docs/blob/39208263c62b69026149378e7dc5f5dedb8e9fed/source/includes/markdown/_auth.html.md',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/PipedreamHQ/pipedream/tree/master/components/asana',
      checked: '2026-11-27',
    },
  ],
};
