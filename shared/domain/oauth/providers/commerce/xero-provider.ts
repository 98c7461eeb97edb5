import type { ProviderEntry } from '../../provider.ts';

export const xero: ProviderEntry = {
  name: 'xero',
  title: 'Xero',
  authorization: 'https://login.xero.com/identity/connect/authorize',
  token: 'https://identity.xero.com/connect/token',
  identity: { address: 'https://identity.xero.com/connect/userinfo' },
  issuer: 'https://identity.xero.com',
  scopeSeparator: ' ',
  scopes: ['openid', 'offline_access'],
  pkce: 'none',
  tokenAuth: 'basic',
  lifetime: 1800,
  refreshToken: 'rotates',
  uid: 'identity.sub',
  quirks: [],
  apps: {
    xero_accounting_api: [
      'accounting.contacts.read',
      'accounting.settings.read',
      'accounting.transactions.read',
    ],
  },
  redirect: { loopback: 'unknown', localhost: 'yes' },
  note: 'After a renewal the old refresh token is good for another 30 minutes; one without a renewal ends after 60 days.',
  missing: [
    'PKCE for clients with a secret',
    'revocation address',
    'http://127.0.0.1 as redirect address',
    'whether new apps get these scopes',
  ],
  sources: [
    { url: 'https://developer.xero.com/faq/oauth2', checked: '2026-11-27' },
    {
      url: 'https://github.com/XeroAPI/xero-node/blob/cfc658ff72e9d8c1b223a0f7ef5d00dcdb4bbf40/src/XeroClient.ts',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/SocialiteProviders/Providers/blob/47679c144d6b831ae900d235f044bf243119890c/src/Xero/Provider.php',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/NangoHQ/nango/blob/2f4c0af671e2ca1c43dd4e78f3c369218bf3fc87/packages/providers/providers.yaml',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/PipedreamHQ/pipedream/tree/master/components/xero_accounting_api',
      checked: '2026-11-27',
    },
  ],
};
