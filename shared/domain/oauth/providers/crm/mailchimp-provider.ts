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
};
