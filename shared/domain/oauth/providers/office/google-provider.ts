import type { ProviderEntry } from '../../provider.ts';

export const google: ProviderEntry = {
  name: 'google',
  title: 'Google',
  authorization: 'https://accounts.google.com/o/oauth2/v2/auth',
  token: 'https://oauth2.googleapis.com/token',
  revocation: 'https://oauth2.googleapis.com/revoke',
  identity: { address: 'https://openidconnect.googleapis.com/v1/userinfo' },
  issuer: 'https://accounts.google.com',
  scopeSeparator: ' ',
  scopes: ['openid'],
  pkce: 'S256',
  tokenAuth: 'post',
  authorizationParameters: { access_type: 'offline', prompt: 'consent' },
  refreshToken: 'stays',
  uid: 'identity.sub',
  // Components hand it to Google's library, which would renew with it.
  unneededFields: ['oauth_refresh_token'],
  quirks: [],
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
};
