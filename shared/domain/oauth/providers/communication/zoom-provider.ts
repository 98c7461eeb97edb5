import type { ProviderEntry } from '../../provider.ts';

export const zoom: ProviderEntry = {
  name: 'zoom',
  title: 'Zoom',
  authorization: 'https://zoom.us/oauth/authorize',
  token: 'https://zoom.us/oauth/token',
  revocation: 'https://zoom.us/oauth/revoke',
  identity: { address: 'https://api.zoom.us/v2/users/me' },
  scopeSeparator: ' ',
  scopes: [],
  pkce: 'S256',
  tokenAuth: 'basic',
  refreshToken: 'rotates',
  uid: 'identity.id',
  quirks: [],
  apps: { zoom: [], zoom_admin: [] },
  redirect: { loopback: 'no', localhost: 'no' },
  note: 'Scopes are chosen in the Marketplace app, not asked for; the identity address needs `user:read:user`. Only a public client, without a secret, takes http://127.0.0.1.',
  missing: ['the error of a void refresh token'],
  sources: [
    { url: 'https://developers.zoom.us/docs/integrations/PKCE/', checked: '2026-11-27' },
    {
      url: 'https://github.com/anthropics/knowledge-work-plugins/blob/5267cf7bff3031921d4474b8e8f86ad02d2b8f6d/partner-built/zoom-plugin/skills/oauth/concepts/token-lifecycle.md',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/anthropics/knowledge-work-plugins/blob/5267cf7bff3031921d4474b8e8f86ad02d2b8f6d/partner-built/zoom-plugin/skills/oauth/concepts/pkce.md',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/SocialiteProviders/Providers/blob/47679c144d6b831ae900d235f044bf243119890c/src/Zoom/Provider.php',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/better-auth/better-auth/blob/451aa4b6e57c9d4989bebc61ebb0892510e8a14e/packages/core/src/social-providers/zoom.ts',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/PipedreamHQ/pipedream/tree/master/components/zoom',
      checked: '2026-11-27',
    },
  ],
};
