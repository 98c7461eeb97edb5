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
  missing: [
    'the id of the user, which a few components read as `oauth_uid`: it is the id of the portal here',
  ],
  sources: [
    {
      url: 'https://developers.hubspot.com/docs/api-reference/legacy/authentication/oauth-tokens/v1/migration-guide',
      checked: '2026-11-27',
    },
    { url: 'https://developers.hubspot.com/changelog/v1-oauth-api-deprecation', checked: '2026-11-27' },
    {
      url: 'https://developers.hubspot.com/docs/api-reference/auth-oauth-v3/guide',
      checked: '2026-11-27',
    },
    {
      url: 'https://developers.hubspot.com/changelog/upcoming-expiration-of-oauth-access-tokens-is-changing',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/PipedreamHQ/pipedream/tree/master/components/hubspot',
      checked: '2026-11-27',
    },
  ],
};
