import type { ProviderEntry } from '../../provider.ts';

export const miro: ProviderEntry = {
  name: 'miro',
  title: 'Miro',
  authorization: 'https://miro.com/oauth/authorize',
  token: 'https://api.miro.com/v1/oauth/token',
  identity: { address: 'https://api.miro.com/v1/oauth-token' },
  scopeSeparator: ' ',
  scopes: [],
  pkce: 'none',
  tokenAuth: 'post',
  lifetime: 'never',
  refreshToken: 'rotates',
  uid: 'token.user_id',
  fields: { access_token: 'token.access_token' },
  quirks: [],
  apps: { miro_custom_app: [] },
  redirect: { loopback: 'unknown', localhost: 'unknown' },
  note: 'Scopes are chosen in the app, not asked for. Access tokens expire only where the app says so; then the response says it.',
};
