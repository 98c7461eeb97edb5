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
    zoho_creator: ['ZohoCreator.dashboard.READ', 'ZohoCreator.meta.application.READ', 'ZohoCreator.report.READ'],
    zoho_crm: ['ZohoCRM.modules.READ', 'ZohoCRM.settings.READ', 'ZohoCRM.users.READ'],
    zoho_inventory: ['ZohoInventory.contacts.READ', 'ZohoInventory.items.READ', 'ZohoInventory.settings.READ'],
  },
  redirect: { loopback: 'unknown', localhost: 'unknown' },
};
