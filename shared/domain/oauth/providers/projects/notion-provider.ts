import type { ProviderEntry } from '../../provider.ts';

export const notion: ProviderEntry = {
  name: 'notion',
  title: 'Notion',
  authorization: 'https://api.notion.com/v1/oauth/authorize',
  token: 'https://api.notion.com/v1/oauth/token',
  revocation: 'https://api.notion.com/v1/oauth/revoke',
  identity: { address: 'https://api.notion.com/v1/users/me', headers: { 'notion-version': '2022-06-28' } },
  scopeSeparator: ' ',
  scopes: [],
  pkce: 'none',
  tokenAuth: 'basic',
  authorizationParameters: { owner: 'user' },
  refreshToken: 'rotates',
  uid: 'token.bot_id',
  quirks: ['json-body', 'json-revocation'],
  apps: { notion: [] },
  redirect: { loopback: 'unknown', localhost: 'unknown' },
  note: 'Capabilities are chosen in the connection, not asked for.',
};
