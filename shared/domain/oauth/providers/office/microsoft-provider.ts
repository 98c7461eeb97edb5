import type { ProviderEntry } from '../../provider.ts';

export const microsoft: ProviderEntry = {
  name: 'microsoft',
  title: 'Microsoft',
  authorization: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
  token: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
  identity: { address: 'https://graph.microsoft.com/v1.0/me' },
  scopeSeparator: ' ',
  scopes: ['offline_access', 'User.Read'],
  pkce: 'S256',
  tokenAuth: 'post',
  refreshToken: 'rotates',
  errorPattern: 'AADSTS\\d{4,9}',
  uid: 'identity.id',
  quirks: [],
  apps: {
    microsoft_excel: ['Files.Read'],
    microsoft_onedrive: ['Files.Read'],
    microsoft_outlook: ['Mail.Read'],
    microsoft_outlook_calendar: ['Calendars.Read'],
    microsoft_teams: ['Team.ReadBasic.All', 'Channel.ReadBasic.All', 'ChannelMessage.Read.All', 'Chat.Read'],
    microsofttodo: ['Tasks.Read'],
    onenote: ['Notes.Read'],
    sharepoint: ['Sites.Read.All'],
  },
  redirect: { loopback: 'yes', localhost: 'yes' },
  note: 'The portal refuses http://127.0.0.1; it is set in the manifest of the app registration. A registration for one tenant needs addresses with the tenant in the place of `common`. `ChannelMessage.Read.All` needs the consent of an administrator.',
};
