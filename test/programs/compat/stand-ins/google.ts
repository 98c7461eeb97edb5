import { bearer, type HookScenario, type TimerScenario } from '../scenario.ts';
import { notification } from '../senders/google.ts';
import type { Rule } from '../stand-in.ts';
import { REGISTER, bodyOf, register, remove, textOf, title } from './common.ts';

const HOST = 'www.googleapis.com';
const account = (token: string) => ({
  prop: 'googleCalendar',
  app: 'google_calendar',
  fields: { oauth_access_token: token, oauth_refresh_token: `${token}-refresh` },
});
const EVENTS = '/calendar/v3/calendars/ann@acme.test/events';
const watched = bearer('google-instant');
const meeting = (n: number) => ({
  id: `meeting-${n}`,
  summary: title(n),
  updated: '2026-01-01T00:00:00Z',
  sequence: 0,
});

/** Returns the changes since the last page token, and a new page token. */
const changed = (n: number): Rule => ({
  name: `what changed since ${n}`,
  method: 'GET',
  path: EVENTS,
  query: { syncToken: `sync-${n}`, pageToken: '' },
  headers: watched,
  response: { body: { nextSyncToken: `sync-${n + 1}`, items: [meeting(n)] } },
});

const channelOf: HookScenario['secret'] = (callOf) => textOf(bodyOf(callOf(REGISTER))['id']);

const CALENDAR = { id: 'resource-7', uri: `https://www.googleapis.com${EVENTS}?alt=json` };
const DRIVE = {
  id: 'drive-resource',
  uri: 'https://www.googleapis.com/drive/v3/changes?alt=json&pageToken=page-1',
};

/** The common part of the two components that watch files of a drive. */
const driveChannel = (
  token: string,
): Pick<HookScenario, 'activate' | 'deactivate' | 'secret' | 'greets' | 'sends' | 'wrong'> => ({
  activate: (endpoint) => [
    {
      name: 'where to begin',
      method: 'GET',
      path: '/drive/v3/changes/startPageToken',
      headers: bearer(token),
      response: { body: { startPageToken: 'page-1' } },
    },
    register({
      method: 'POST',
      path: '/drive/v3/changes/watch',
      query: { pageToken: 'page-1' },
      headers: bearer(token),
      body: { id: /^[0-9a-f-]{36}$/, type: 'web_hook', address: endpoint() },
      response: { body: { resourceId: 'drive-resource', expiration: '4000000000000' } },
    }),
  ],
  deactivate: ({ call }) => [
    remove({
      method: 'POST',
      path: '/drive/v3/channels/stop',
      headers: bearer(token),
      body: { id: textOf(bodyOf(call(REGISTER))['id']), resourceId: 'drive-resource' },
      response: { status: 204 },
    }),
  ],
  secret: channelOf,
  greets: (to) => notification(to, DRIVE, { state: 'sync', number: 1 }),
  sends: (to, n) => notification(to, DRIVE, { state: 'change', number: n + 1 }),
  wrong: (to) => ({
    ...notification({ ...to, secret: 'another-channel' }, DRIVE, { state: 'change', number: 9 }),
    status: 200,
  }),
});

const driveChanges = (token: string, from: string, file: object, next: string): Rule => ({
  name: `changes of ${from}`,
  method: 'GET',
  path: '/drive/v3/changes',
  query: { pageToken: from },
  headers: bearer(token),
  response: { body: { newStartPageToken: next, changes: [{ file }] } },
});

/**
 * The component asks for the same page each time, first because of the notification `sync`: nothing has changed then.
 */
function sheetChanges(): Rule {
  const file = { id: 's1', mimeType: 'application/vnd.google-apps.spreadsheet' };
  const rule = driveChanges('google-sheet-drive', 'page-1', file, 'page-2');
  let hasSynced = false;
  return {
    ...rule,
    response: () => {
      const changes = hasSynced ? [{ file }] : [];
      hasSynced = true;
      return { body: { newStartPageToken: 'page-2', changes } };
    },
  };
}

/** A sheet with a row more each time it is asked for: first when the source is activated. */
function spreadsheet(): readonly Rule[] {
  let rows = 0;
  return [
    {
      name: 'sheet',
      method: 'GET',
      path: '/v4/spreadsheets/s1',
      query: { includeGridData: 'true' },
      headers: bearer('google-sheets'),
      response: () => {
        rows += 1;
        const data = [{ rowData: Array.from({ length: rows }, () => ({})) }];
        const sheets = [{ properties: { sheetId: 7, title: 'Sheet' }, data }];
        return { body: { spreadsheetId: 's1', sheets } };
      },
    },
    ...[1, 2].map((n): Rule => ({
      name: `row ${n + 1}`,
      method: 'GET',
      path: `/v4/spreadsheets/s1/values/Sheet!${n + 1}:${n + 1}`,
      headers: bearer('google-sheets'),
      response: { body: { values: [[title(n), String(n)]] } },
    })),
  ];
}

export const googleHooks: readonly HookScenario[] = [
  {
    component: 'google_calendar/sources/new-or-updated-event-instant/new-or-updated-event-instant.js',
    host: HOST,
    isExtra: true,
    account: account('google-instant'),
    props: () => ({ calendarId: 'ann@acme.test', newOnly: true }),
    activate: (endpoint) => [
      register({
        method: 'POST',
        path: `${EVENTS}/watch`,
        headers: watched,
        body: { id: /^[0-9a-f-]{36}$/, type: 'web_hook', address: endpoint() },
        response: (call) => ({
          body: { id: bodyOf(call)['id'], resourceId: 'resource-7', expiration: '4000000000000' },
        }),
      }),
      // Two pages until there is a token.
      {
        name: 'first page',
        method: 'GET',
        path: EVENTS,
        query: { pageToken: '' },
        headers: watched,
        response: { body: { nextPageToken: 'page-2', items: [] } },
      },
      {
        name: 'second page',
        method: 'GET',
        path: EVENTS,
        query: { pageToken: 'page-2' },
        headers: watched,
        response: { body: { nextSyncToken: 'sync-1', items: [] } },
      },
    ],
    deactivate: ({ call }) => [
      remove({
        method: 'POST',
        path: '/calendar/v3/channels/stop',
        headers: watched,
        body: { id: textOf(bodyOf(call(REGISTER))['id']), resourceId: 'resource-7' },
        response: { status: 204 },
      }),
    ],
    lookups: [changed(1), changed(2)],
    secret: channelOf,
    greets: (to) => notification(to, CALENDAR, { state: 'sync', number: 1 }),
    sends: (to, n) => notification(to, CALENDAR, { state: 'exists', number: n + 1 }),
    emits: (n) => ({ summary: title(n), event: meeting(n) }),
    wrong: (to) => ({
      ...notification({ ...to, secret: 'another-channel' }, CALENDAR, { state: 'exists', number: 9 }),
      status: 200,
    }),
  },
  {
    component: 'google_drive/sources/new-or-modified-files/new-or-modified-files.js',
    host: HOST,
    isExtra: true,
    account: { prop: 'googleDrive', app: 'google_drive', fields: { oauth_access_token: 'google-drive' } },
    props: () => ({ drive: 'myDrive' }),
    ...driveChannel('google-drive'),
    lookups: [1, 2].map((n) =>
      driveChanges('google-drive', `page-${n}`, { id: `f${n}`, name: title(n) }, `page-${n + 1}`),
    ),
    emits: (n) => ({
      summary: title(n),
      event: { file: { id: `f${n}` }, change: { state: 'change', resourceURI: DRIVE.uri } },
    }),
  },
  {
    component: 'google_sheets/sources/new-row-added/new-row-added.js',
    host: HOST,
    isExtra: true,
    account: {
      prop: 'google_drive',
      app: 'google_drive',
      fields: { oauth_access_token: 'google-sheet-drive' },
    },
    otherAccounts: [{ prop: 'google_sheets', app: 'google_sheets', fields: { oauth_access_token: 'google-sheets' } }],
    props: () => ({ drive: 'myDrive', sheetID: 's1', worksheetIDs: ['7'] }),
    ...driveChannel('google-sheet-drive'),
    lookups: [sheetChanges()],
    elsewhere: [{ host: 'sheets.googleapis.com', rules: spreadsheet() }],
    emits: (n) => ({
      summary: `${title(n)}, ${n}`,
      event: { newRow: [title(n), String(n)], range: `Sheet!${n + 1}:${n + 1}` },
    }),
  },
];

const calendars = (name: string, ids: readonly string[]): Rule => ({
  name,
  method: 'GET',
  path: '/calendar/v3/users/me/calendarList',
  headers: bearer('google-calendars'),
  response: { body: { items: ids.map((id) => ({ id, summary: `Calendar ${id}` })) } },
});

export const googleTimers: readonly TimerScenario[] = [
  {
    component: 'google_calendar/sources/new-calendar/new-calendar.js',
    host: HOST,
    isExtra: true,
    account: account('google-calendars'),
    activate: [calendars('what there is', ['A'])],
    polls: [
      { rules: () => [calendars('calendars', ['A', 'B'])], emits: ['Calendar B'] },
      { rules: () => [calendars('calendars', ['A', 'B', 'C'])], emits: ['Calendar C'] },
    ],
  },
];
