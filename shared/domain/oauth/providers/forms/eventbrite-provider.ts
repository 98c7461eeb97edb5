import type { ProviderEntry } from '../../provider.ts';

export const eventbrite: ProviderEntry = {
  name: 'eventbrite',
  title: 'Eventbrite',
  authorization: 'https://www.eventbrite.com/oauth/authorize',
  token: 'https://www.eventbrite.com/oauth/token',
  identity: { address: 'https://www.eventbriteapi.com/v3/users/me/' },
  scopeSeparator: ' ',
  scopes: [],
  pkce: 'none',
  tokenAuth: 'post',
  lifetime: 'never',
  refreshToken: 'none',
  uid: 'identity.id',
  quirks: [],
  apps: { eventbrite: [] },
  redirect: { loopback: 'unknown', localhost: 'unknown' },
  note: 'There are no scopes.',
  missing: ['revocation address', 'redirect addresses'],
  sources: [
    {
      url: 'https://github.com/SocialiteProviders/Providers/blob/47679c144d6b831ae900d235f044bf243119890c/src/Eventbrite/Provider.php',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/python-social-auth/social-core/blob/3bb06abdb21bc095a6e893ef7a63b63c3ce0a6a7/social_core/backends/eventbrite.py',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/NangoHQ/nango/blob/2f4c0af671e2ca1c43dd4e78f3c369218bf3fc87/packages/providers/providers.yaml',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/PipedreamHQ/pipedream/tree/master/components/eventbrite',
      checked: '2026-11-27',
    },
  ],
};
