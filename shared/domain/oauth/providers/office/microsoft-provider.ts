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
  missing: ['revocation address', 'issuer (it names the tenant of the user)'],
  sources: [
    {
      url: 'https://learn.microsoft.com/entra/identity-platform/reference-error-codes',
      checked: '2026-11-29',
    },
    { url: 'https://learn.microsoft.com/entra/identity-platform/reply-url', checked: '2026-11-27' },
    {
      url: 'https://github.com/better-auth/better-auth/blob/451aa4b6e57c9d4989bebc61ebb0892510e8a14e/packages/core/src/social-providers/microsoft-entra-id.ts',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/nextauthjs/next-auth/blob/a1a16a5a7780488c7449feece410033f445d0b31/packages/core/src/providers/microsoft-entra-id.ts',
      checked: '2026-11-27',
    },
    {
      url: 'https://github.com/NangoHQ/nango/blob/2f4c0af671e2ca1c43dd4e78f3c369218bf3fc87/packages/providers/providers.yaml',
      checked: '2026-11-27',
    },
  ],
};
