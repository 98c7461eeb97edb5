import type { ProviderEntry } from '../../provider.ts';

export const todoist: ProviderEntry = {
  name: 'todoist',
  title: 'Todoist',
  authorization: 'https://app.todoist.com/oauth/authorize',
  token: 'https://api.todoist.com/oauth/access_token',
  identity: { address: 'https://api.todoist.com/api/v1/user' },
  scopeSeparator: ',',
  scopes: ['data:read'],
  pkce: 'none',
  tokenAuth: 'post',
  lifetime: 'never',
  refreshToken: 'rotates',
  uid: 'identity.id',
  quirks: [],
  apps: { todoist: ['data:read'] },
  redirect: { loopback: 'unknown', localhost: 'unknown' },
  note: 'Access tokens expire only for apps with refresh tokens, the default of new apps; then the response says it.',
  missing: [
    'PKCE for clients with a secret',
    'revocation (the address wants HTTP Basic)',
    'issuer',
    'redirect addresses',
  ],
  sources: [
    {
      url: 'https://doist.github.io/todoist-sdk-typescript/api/functions/refreshAuthToken',
      checked: '2026-11-27',
    },
    { url: 'https://doist.github.io/todoist-api-typescript/authorization', checked: '2026-11-27' },
    {
      url: 'https://github.com/Doist/todoist-api-typescript/blob/e44b543ad724ea8b18c79813a830ece92fc01572/src/authentication.ts',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/nextauthjs/next-auth/blob/a1a16a5a7780488c7449feece410033f445d0b31/packages/core/src/providers/todoist.ts',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/PipedreamHQ/pipedream/tree/master/components/todoist',
      checked: '2026-11-27',
    },
  ],
};
