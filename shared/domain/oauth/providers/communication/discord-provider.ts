import type { ProviderEntry } from '../../provider.ts';

export const discord: ProviderEntry = {
  name: 'discord',
  title: 'Discord',
  authorization: 'https://discord.com/oauth2/authorize',
  token: 'https://discord.com/api/oauth2/token',
  revocation: 'https://discord.com/api/oauth2/token/revoke',
  identity: { address: 'https://discord.com/api/users/@me' },
  scopeSeparator: ' ',
  scopes: ['identify'],
  pkce: 'S256',
  tokenAuth: 'post',
  uid: 'identity.id',
  quirks: [],
  apps: { discord: ['guilds'] },
  redirect: { loopback: 'yes', localhost: 'yes' },
  missing: ['whether the refresh token rotates', '`bot_token` and `guild_id`, which components read'],
  sources: [
    {
      url: 'https://github.com/discord/discord-api-docs/blob/00995c3ea89ff9b40879f1c5b029e04a58666e0e/docs/topics/OAuth2.md',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/nextauthjs/next-auth/blob/a1a16a5a7780488c7449feece410033f445d0b31/packages/core/src/providers/discord.ts',
      checked: '2026-11-27',
    },
  ],
};
