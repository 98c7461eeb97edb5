import type { ProviderFacts } from '../provider.ts';

export const officeProviders: Record<string, ProviderFacts> = {
  google: {
    authorization: 'https://accounts.google.com/o/oauth2/v2/auth',
    token: 'https://oauth2.googleapis.com/token',
    revocation: 'https://oauth2.googleapis.com/revoke',
    identity: { address: 'https://openidconnect.googleapis.com/v1/userinfo' },
    issuer: 'https://accounts.google.com',
    scopes: ['openid'],
    pkce: 'S256',
    authorizationParameters: { access_type: 'offline', prompt: 'consent' },
    refreshToken: 'stays',
    uid: 'identity.sub',
    // Components hand it to Google's library, which would renew with it.
    unneededFields: ['oauth_refresh_token'],
    apps: {
      gmail: ['https://www.googleapis.com/auth/gmail.readonly'],
      google_analytics: ['https://www.googleapis.com/auth/analytics.readonly'],
      google_calendar: ['https://www.googleapis.com/auth/calendar.readonly'],
      google_chat: [
        'https://www.googleapis.com/auth/chat.spaces.readonly',
        'https://www.googleapis.com/auth/chat.messages.readonly',
      ],
      google_classroom: [
        'https://www.googleapis.com/auth/classroom.courses.readonly',
        'https://www.googleapis.com/auth/classroom.rosters.readonly',
        'https://www.googleapis.com/auth/classroom.coursework.students.readonly',
      ],
      google_contacts: ['https://www.googleapis.com/auth/contacts.readonly'],
      google_docs: [
        'https://www.googleapis.com/auth/documents.readonly',
        'https://www.googleapis.com/auth/drive.readonly',
      ],
      google_drive: ['https://www.googleapis.com/auth/drive.readonly'],
      google_forms: [
        'https://www.googleapis.com/auth/forms.body.readonly',
        'https://www.googleapis.com/auth/forms.responses.readonly',
        'https://www.googleapis.com/auth/drive.readonly',
      ],
      google_search_console: ['https://www.googleapis.com/auth/webmasters.readonly'],
      google_sheets: [
        'https://www.googleapis.com/auth/spreadsheets.readonly',
        'https://www.googleapis.com/auth/drive.readonly',
      ],
      google_slides: [
        'https://www.googleapis.com/auth/presentations.readonly',
        'https://www.googleapis.com/auth/drive.readonly',
      ],
      google_tasks: ['https://www.googleapis.com/auth/tasks.readonly'],
      youtube: ['https://www.googleapis.com/auth/youtube.readonly'],
      youtube_data_api: ['https://www.googleapis.com/auth/youtube.readonly'],
    },
    redirect: { loopback: 'yes', localhost: 'yes' },
    note: 'While the consent screen of the Google Cloud project is in status Testing, refresh tokens end after 7 days.',
  },
  microsoft: {
    authorization: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
    token: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
    identity: { address: 'https://graph.microsoft.com/v1.0/me' },
    scopes: ['offline_access', 'User.Read'],
    pkce: 'S256',
    refreshToken: 'rotates',
    errorPattern: 'AADSTS\\d{4,9}',
    uid: 'identity.id',
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
  },
};
