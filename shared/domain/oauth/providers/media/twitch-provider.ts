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
  missing: ['whether the refresh token rotates', 'http://127.0.0.1 as redirect address'],
  sources: [
    {
      url: 'https://github.com/nextauthjs/next-auth/blob/a1a16a5a7780488c7449feece410033f445d0b31/packages/core/src/providers/twitch.ts',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/python-social-auth/social-core/blob/3bb06abdb21bc095a6e893ef7a63b63c3ce0a6a7/social_core/backends/twitch.py',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/NangoHQ/nango/blob/2f4c0af671e2ca1c43dd4e78f3c369218bf3fc87/packages/providers/providers.yaml',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/PipedreamHQ/pipedream/tree/master/components/twitch',
      checked: '2026-11-27',
    },
  ],
};
