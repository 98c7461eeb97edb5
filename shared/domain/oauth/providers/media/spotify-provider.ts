import type { ProviderEntry } from '../../provider.ts';

export const spotify: ProviderEntry = {
  name: 'spotify',
  title: 'Spotify',
  authorization: 'https://accounts.spotify.com/authorize',
  token: 'https://accounts.spotify.com/api/token',
  identity: { address: 'https://api.spotify.com/v1/me' },
  scopeSeparator: ' ',
  scopes: [],
  pkce: 'S256',
  tokenAuth: 'basic',
  lifetime: 3600,
  refreshToken: 'stays',
  uid: 'identity.id',
  quirks: [],
  apps: {
    spotify: [
      'playlist-read-private',
      'user-follow-read',
      'user-library-read',
      'user-read-recently-played',
      'user-top-read',
    ],
  },
  redirect: { loopback: 'yes', localhost: 'no' },
  missing: ['revocation address'],
  sources: [
    {
      url: 'https://developer.spotify.com/documentation/web-api/concepts/redirect_uri',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/better-auth/better-auth/blob/451aa4b6e57c9d4989bebc61ebb0892510e8a14e/packages/core/src/social-providers/spotify.ts',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/python-social-auth/social-core/blob/3bb06abdb21bc095a6e893ef7a63b63c3ce0a6a7/social_core/backends/spotify.py',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/PipedreamHQ/pipedream/tree/master/components/spotify',
      checked: '2026-11-27',
    },
  ],
};
