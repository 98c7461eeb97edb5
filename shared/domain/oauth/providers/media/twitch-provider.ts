import type { ProviderEntry } from '../../provider.ts';

export const twitch: ProviderEntry = {
  name: 'twitch',
  title: 'Twitch',
  authorization: 'https://id.twitch.tv/oauth2/authorize',
  token: 'https://id.twitch.tv/oauth2/token',
  revocation: 'https://id.twitch.tv/oauth2/revoke',
  identity: { address: 'https://id.twitch.tv/oauth2/userinfo' },
  issuer: 'https://id.twitch.tv/oauth2',
  scopeSeparator: ' ',
  scopes: ['openid'],
  pkce: 'none',
  tokenAuth: 'post',
  voidErrors: ['Invalid refresh token'],
  uid: 'identity.sub',
  quirks: ['scope-list'],
  apps: { twitch: ['user:read:email', 'user:read:follows'] },
  redirect: { loopback: 'unknown', localhost: 'yes' },
};
