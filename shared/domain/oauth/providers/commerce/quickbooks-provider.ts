import type { ProviderEntry } from '../../provider.ts';

export const quickbooks: ProviderEntry = {
  name: 'quickbooks',
  title: 'QuickBooks',
  authorization: 'https://appcenter.intuit.com/connect/oauth2',
  token: 'https://oauth.platform.intuit.com/oauth2/v1/tokens/bearer',
  revocation: 'https://developer.api.intuit.com/v2/oauth2/tokens/revoke',
  scopeSeparator: ' ',
  scopes: ['com.intuit.quickbooks.accounting'],
  pkce: 'none',
  tokenAuth: 'basic',
  lifetime: 3600,
  refreshToken: 'rotates',
  uid: 'callback.realmId',
  fields: { company_id: 'callback.realmId' },
  quirks: ['json-revocation'],
  apps: { quickbooks: ['com.intuit.quickbooks.accounting'] },
  redirect: { loopback: 'unknown', localhost: 'unknown' },
  note: 'A refresh token ends after 100 days without a renewal. There is no scope for reading alone.',
  missing: ['identity address without the scope `openid`', 'redirect addresses'],
  sources: [
    {
      url: 'https://developer.intuit.com/app/developer/qbo/docs/develop/authentication-and-authorization/faq',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/intuit/oauth-jsclient/blob/26853935a71bf1bf5f11ed0ecbb3c0d4ab87ae03/src/OAuthClient.js',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/IntuitDeveloper/OAuth2-Dotnet_UsingSDK/blob/master/docs/help/Tokens.md',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/NangoHQ/nango/blob/2f4c0af671e2ca1c43dd4e78f3c369218bf3fc87/packages/providers/providers.yaml',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/PipedreamHQ/pipedream/tree/master/components/quickbooks',
      checked: '2026-11-27',
    },
  ],
};
