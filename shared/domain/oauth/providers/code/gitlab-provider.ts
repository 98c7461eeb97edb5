import type { ProviderEntry } from '../../provider.ts';

export const gitlab: ProviderEntry = {
  name: 'gitlab',
  title: 'GitLab',
  authorization: 'https://gitlab.com/oauth/authorize',
  token: 'https://gitlab.com/oauth/token',
  revocation: 'https://gitlab.com/oauth/revoke',
  identity: { address: 'https://gitlab.com/api/v4/user' },
  scopeSeparator: ' ',
  scopes: ['read_user'],
  pkce: 'S256',
  tokenAuth: 'post',
  lifetime: 7200,
  refreshToken: 'rotates',
  uid: 'identity.id',
  quirks: [],
  apps: { gitlab: ['read_api'] },
  redirect: { loopback: 'yes', localhost: 'yes' },
  note: 'Sources that register webhooks need the scope `api`. Accounts of a GitLab of your own need its addresses and the field `base_api_url`.',
  missing: [],
  sources: [
    { url: 'https://docs.gitlab.com/api/oauth2/', checked: '2026-11-27' },
    { url: 'https://docs.gitlab.com/integration/oauth_provider/', checked: '2026-11-27' },
    {
      url: 'https://github.com/better-auth/better-auth/blob/451aa4b6e57c9d4989bebc61ebb0892510e8a14e/packages/core/src/social-providers/gitlab.ts',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/PipedreamHQ/pipedream/tree/master/components/gitlab',
      checked: '2026-11-27',
    },
  ],
};
