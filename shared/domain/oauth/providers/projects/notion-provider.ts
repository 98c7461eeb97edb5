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
  missing: ['lifetime of an access token, which the response does not say', 'redirect addresses'],
  sources: [
    { url: 'https://developers.notion.com/reference/create-a-token', checked: '2026-11-27' },
    { url: 'https://developers.notion.com/reference/refresh-a-token', checked: '2026-11-27' },
    {
      url: 'https://github.com/makenotion/notion-sdk-js/blob/9060802d386afbb82fa7b52ba4298cce0b1e0429/src/api-endpoints/oauth.ts',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/SocialiteProviders/Providers/blob/47679c144d6b831ae900d235f044bf243119890c/src/Notion/Provider.php',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/PipedreamHQ/pipedream/tree/master/components/notion',
      checked: '2026-11-27',
    },
  ],
};
