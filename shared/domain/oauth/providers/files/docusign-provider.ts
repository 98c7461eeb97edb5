import type { ProviderEntry } from '../../provider.ts';

export const docusign: ProviderEntry = {
  name: 'docusign',
  title: 'DocuSign',
  authorization: 'https://account.docusign.com/oauth/auth',
  token: 'https://account.docusign.com/oauth/token',
  identity: { address: 'https://account.docusign.com/oauth/userinfo' },
  scopeSeparator: ' ',
  scopes: ['signature', 'extended'],
  pkce: 'S256',
  tokenAuth: 'basic',
  refreshToken: 'rotates',
  uid: 'identity.sub',
  quirks: [],
  apps: { docusign: ['signature'] },
  redirect: { loopback: 'unknown', localhost: 'unknown' },
  note: 'The scope `extended` lets a refresh token live on with each renewal. Developer accounts need addresses at account-d.docusign.com.',
  missing: ['revocation address', 'redirect addresses'],
  sources: [
    {
      url: 'https://github.com/SocialiteProviders/Providers/blob/47679c144d6b831ae900d235f044bf243119890c/src/DocuSign/Provider.php',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/NangoHQ/nango/blob/2f4c0af671e2ca1c43dd4e78f3c369218bf3fc87/packages/providers/providers.yaml',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/PipedreamHQ/pipedream/tree/master/components/docusign',
      checked: '2026-11-27',
    },
  ],
};
