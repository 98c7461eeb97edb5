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
};
