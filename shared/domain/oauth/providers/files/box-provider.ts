import type { ProviderEntry } from '../../provider.ts';

export const box: ProviderEntry = {
  name: 'box',
  title: 'Box',
  authorization: 'https://account.box.com/api/oauth2/authorize',
  token: 'https://api.box.com/oauth2/token',
  revocation: 'https://api.box.com/oauth2/revoke',
  identity: { address: 'https://api.box.com/2.0/users/me' },
  scopeSeparator: ' ',
  scopes: [],
  pkce: 'none',
  tokenAuth: 'post',
  refreshToken: 'rotates',
  uid: 'identity.id',
  quirks: [],
  apps: { box: ['root_readonly'] },
  redirect: { loopback: 'yes', localhost: 'yes' },
  note: 'A refresh token ends after 60 days without a renewal.',
  missing: ['PKCE'],
  sources: [
    {
      url: 'https://github.com/box/developer.box.com/blob/eee1aa64089f0d46d362bf044d40a03a58946b6b/content/guides/authentication/oauth2/oauth2-setup.md',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/box/developer.box.com/blob/eee1aa64089f0d46d362bf044d40a03a58946b6b/content/guides/authentication/tokens/revoke.md',
      checked: '2026-11-27',
    },
    {
      url: 'https://developer.box.com/guides/authentication/oauth2/without-sdk/',
      checked: '2026-11-27',
    },
    { url: 'https://developer.box.com/guides/authentication/tokens/refresh', checked: '2026-11-27' },
    {
      url: 'https://github.com/PipedreamHQ/pipedream/tree/master/components/box',
      checked: '2026-11-27',
    },
  ],
};
