import type { ProviderEntry } from '../../provider.ts';

export const mailchimp: ProviderEntry = {
  name: 'mailchimp',
  title: 'Mailchimp',
  authorization: 'https://login.mailchimp.com/oauth2/authorize',
  token: 'https://login.mailchimp.com/oauth2/token',
  identity: { address: 'https://login.mailchimp.com/oauth2/metadata' },
  scopeSeparator: ' ',
  scopes: [],
  pkce: 'none',
  tokenAuth: 'post',
  lifetime: 'never',
  refreshToken: 'none',
  uid: 'identity.login.login_id',
  fields: { dc: 'identity.dc' },
  quirks: ['no-token-type'],
  apps: { mailchimp: [] },
  redirect: { loopback: 'unknown', localhost: 'unknown' },
  missing: ['revocation address', 'redirect addresses'],
  sources: [
    {
      url: 'https://developer.mailchimp.com/documentation/mailchimp/guides/how-to-use-oauth2/',
      checked: '2026-11-27',
    },
    {
      url: 'https://mailchimp.com/developer/marketing/guides/access-user-data-oauth-2/',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/nextauthjs/next-auth/blob/a1a16a5a7780488c7449feece410033f445d0b31/packages/core/src/providers/mailchimp.ts',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/SocialiteProviders/Providers/blob/47679c144d6b831ae900d235f044bf243119890c/src/MailChimp/Provider.php',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/PipedreamHQ/pipedream/tree/master/components/mailchimp',
      checked: '2026-11-27',
    },
  ],
};
