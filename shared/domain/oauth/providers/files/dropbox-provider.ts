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
};
