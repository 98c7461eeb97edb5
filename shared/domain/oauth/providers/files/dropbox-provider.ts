import type { ProviderEntry } from '../../provider.ts';

export const dropbox: ProviderEntry = {
  name: 'dropbox',
  title: 'Dropbox',
  authorization: 'https://www.dropbox.com/oauth2/authorize',
  token: 'https://api.dropboxapi.com/oauth2/token',
  revocation: 'https://api.dropboxapi.com/2/auth/token/revoke',
  identity: { address: 'https://api.dropboxapi.com/2/users/get_current_account', method: 'POST' },
  scopeSeparator: ' ',
  scopes: ['account_info.read'],
  pkce: 'S256',
  tokenAuth: 'post',
  authorizationParameters: { token_access_type: 'offline' },
  refreshToken: 'stays',
  uid: 'token.account_id',
  quirks: ['bearer-revocation'],
  apps: { dropbox: ['files.metadata.read', 'files.content.read'] },
  redirect: { loopback: 'yes', localhost: 'yes' },
  missing: [],
  sources: [
    {
      url: 'https://dropbox.github.io/dropbox-sdk-dotnet/gh-pages/obj/api/Dropbox.Api.DropboxOAuth2Helper.html',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/better-auth/better-auth/blob/451aa4b6e57c9d4989bebc61ebb0892510e8a14e/packages/core/src/social-providers/dropbox.ts',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/python-social-auth/social-core/blob/3bb06abdb21bc095a6e893ef7a63b63c3ce0a6a7/social_core/backends/dropbox.py',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/PipedreamHQ/pipedream/tree/master/components/dropbox',
      checked: '2026-11-27',
    },
  ],
};
