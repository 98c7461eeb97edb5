import type { ProviderEntry } from '../../provider.ts';

export const hubspot: ProviderEntry = {
  name: 'hubspot',
  title: 'HubSpot',
  authorization: 'https://app.hubspot.com/oauth/authorize',
  token: 'https://api.hubapi.com/oauth/2026-03/token',
  revocation: 'https://api.hubapi.com/oauth/2026-03/token/revoke',
  identity: { address: 'https://api.hubapi.com/account-info/v3/details' },
  scopeSeparator: ' ',
  scopes: ['oauth'],
  pkce: 'none',
  tokenAuth: 'post',
  lifetime: 1800,
  refreshToken: 'stays',
  uid: 'identity.portalId',
  quirks: [],
  apps: { hubspot: ['crm.objects.contacts.read', 'crm.objects.companies.read', 'crm.objects.deals.read'] },
  redirect: { loopback: 'no', localhost: 'yes' },
  note: 'The scopes asked for must contain all that the app requires. The older addresses under /oauth/v1 end on 16 February 2027.',
};
