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
};
