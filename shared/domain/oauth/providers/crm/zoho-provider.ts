import type { ProviderEntry } from '../../provider.ts';

export const zoho: ProviderEntry = {
  name: 'zoho',
  title: 'Zoho',
  authorization: 'https://accounts.{domain}/oauth/v2/auth',
  token: 'https://accounts.{domain}/oauth/v2/token',
  revocation: 'https://accounts.{domain}/oauth/v2/token/revoke',
  identity: { address: 'https://accounts.{domain}/oauth/user/info' },
  placeholders: {
    domain: {
      title: 'Domain of the data centre, e.g. zoho.com or zoho.eu',
      pattern: 'zoho\\.(?:com|eu|in|com\\.au|jp|com\\.cn|sa|uk)',
      field: 'base_api_uri',
    },
  },
  scopeSeparator: ',',
  scopes: ['AaaServer.profile.READ'],
  pkce: 'none',
  tokenAuth: 'post',
  authorizationParameters: { access_type: 'offline', prompt: 'consent' },
  lifetime: 3600,
  refreshToken: 'stays',
  voidErrors: ['invalid_code'],
  uid: 'identity.ZUID',
  fields: { api_domain: 'token.api_domain' },
  quirks: ['error-with-status-200'],
  apps: {
    zoho_books: ['ZohoBooks.contacts.READ', 'ZohoBooks.invoices.READ', 'ZohoBooks.settings.READ'],
    zoho_creator: [
      'ZohoCreator.dashboard.READ',
      'ZohoCreator.meta.application.READ',
      'ZohoCreator.report.READ',
    ],
    zoho_crm: ['ZohoCRM.modules.READ', 'ZohoCRM.settings.READ', 'ZohoCRM.users.READ'],
    zoho_inventory: [
      'ZohoInventory.contacts.READ',
      'ZohoInventory.items.READ',
      'ZohoInventory.settings.READ',
    ],
  },
  redirect: { loopback: 'unknown', localhost: 'unknown' },
  missing: [
    'the data centre of Canada, whose domain the sources dispute',
    'apps that read a host of their own as `base_api_uri` (Desk, Recruit)',
    'the account name, which `zoho_creator` reads as `oauth_uid`',
    'redirect addresses',
  ],
  sources: [
    {
      url: 'https://github.com/zoho/zohocrm-typescript-sdk-7.0/tree/d6ca8fb9ecfdb8a70abc09796c6ffeaff07615c6/routes/dc',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/SocialiteProviders/Providers/blob/47679c144d6b831ae900d235f044bf243119890c/src/Zoho/Provider.php',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/nextauthjs/next-auth/blob/a1a16a5a7780488c7449feece410033f445d0b31/packages/core/src/providers/zoho.ts',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/NangoHQ/nango/blob/2f4c0af671e2ca1c43dd4e78f3c369218bf3fc87/packages/providers/providers.yaml',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/PipedreamHQ/pipedream/tree/master/components/zoho_crm',
      checked: '2026-11-27',
    },
  ],
};
