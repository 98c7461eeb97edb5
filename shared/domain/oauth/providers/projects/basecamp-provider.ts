import type { ProviderEntry } from '../../provider.ts';

export const basecamp: ProviderEntry = {
  name: 'basecamp',
  title: 'Basecamp',
  authorization: 'https://launchpad.37signals.com/authorization/new',
  token: 'https://launchpad.37signals.com/authorization/token',
  identity: { address: 'https://launchpad.37signals.com/authorization.json' },
  scopeSeparator: ' ',
  scopes: [],
  pkce: 'none',
  tokenAuth: 'post',
  lifetime: 1_209_600,
  uid: 'identity.identity.id',
  quirks: [],
  apps: { basecamp: [] },
  redirect: { loopback: 'unknown', localhost: 'unknown' },
  note: 'There are no scopes.',
  missing: ['revocation address', 'whether the refresh token rotates', 'redirect addresses'],
  sources: [
    {
      url: 'https://github.com/basecamp/bc3-api/blob/617fb75b461da2992f4ef56af20aab06c46fea0c/sections/authentication.md',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/PipedreamHQ/pipedream/tree/master/components/basecamp',
      checked: '2026-11-27',
    },
  ],
};
