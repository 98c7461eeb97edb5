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
};
