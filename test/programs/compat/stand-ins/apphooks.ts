import type { ApphookScenario } from '../scenario.ts';
import { bearer } from '../scenario.ts';
import { AGENT, title } from './common.ts';

const SECRET = '8f742231b10e8888abcd99yyyzzz85a5';
const START = '2026-01-02T03:04:05Z';
const meeting = (n: number) => ({
  payload: { object: { topic: title(n), uuid: `m${n}`, start_time: START } },
});
const activity = (n: number) => ({
  object_type: 'activity',
  object_id: 80 + n,
  event_time: 1_767_323_045,
  aspect_type: 'create',
});
const message = (n: number, more: object = {}) => ({
  id: `d${n}`,
  guildID: 'guild-1',
  authorID: 'somebody',
  content: title(n),
  ...more,
});
const slackMessage = (n: number, more: object = {}) => ({
  type: 'message',
  channel_type: 'channel',
  client_msg_id: `s${n}`,
  user: `U${n}`,
  channel: 'C1',
  text: title(n),
  ...more,
});

const file = (n: number) => ({ '.tag': 'file', name: title(n), path_lower: `/${n}.txt` });

/** Components whose app is to send them its events. */
export const apphookScenarios: readonly ApphookScenario[] = [
  {
    component: 'discord/sources/new-message/new-message.js',
    host: 'discord.com',
    account: { prop: 'discord', app: 'discord', fields: { guild_id: 'guild-1', oauth_uid: 'myself' } },
    props: () => ({ channels: ['c1', 'c2'] }),
    prop: 'discordApphook',
    eventNames: ['c1', 'c2'],
    event: message,
    emits: (n) => ({ event: message(n) }),
    ignores: [message(9, { guildID: 'another' }), message(9, { authorID: 'myself' })],
  },
  {
    component: 'zoom/sources/meeting-created/meeting-created.js',
    host: 'api.zoom.us',
    account: { prop: 'zoom', app: 'zoom', fields: { webhook_secret_token: SECRET } },
    sender: { app: 'zoom', secret: SECRET },
    prop: 'zoomApphook',
    eventNames: ['meeting.created.by_me', 'meeting.created.for_me'],
    event: (n) => ({ event: 'meeting.created', ...meeting(n) }),
    emits: (n) => ({
      summary: `Meeting ${title(n)} created`,
      event: { event: 'meeting.created', ...meeting(n) },
    }),
    // A duplicate for the same meeting.
    ignores: [
      { event: 'meeting.created', ...meeting(1) },
      { event: 'meeting.ended', ...meeting(9) },
    ],
  },
  {
    component: 'zoom_admin/sources/custom-events/custom-events.js',
    host: 'api.zoom.us',
    account: { prop: 'zoomAdmin', app: 'zoom_admin', fields: { webhook_secret_token: SECRET } },
    sender: { app: 'zoom', secret: SECRET },
    props: () => ({ eventNameOptions: ['webinar.ended', 'user.created'] }),
    prop: 'zoomApphook',
    eventNames: ['webinar.ended', 'user.created'],
    event: (n) => ({ event: 'webinar.ended', n }),
    emits: (n) => ({ summary: 'webinar.ended', event: { event: 'webinar.ended', n } }),
  },
  {
    component: 'strava/sources/activity-created/activity-created.js',
    host: 'www.strava.com',
    account: { prop: 'strava', app: 'strava', fields: { oauth_access_token: 'strava-token' } },
    sender: { app: 'strava', secret: '' },
    prop: 'stravaApphook',
    eventNames: ['activity.create'],
    lookups: [1, 2].map((n) => ({
      name: `activity ${n}`,
      method: 'GET',
      path: `/api/v3/activities/${80 + n}`,
      headers: { ...bearer('strava-token'), ...AGENT },
      response: { body: { name: title(n) } },
    })),
    event: activity,
    emits: (n) => ({
      summary: `Activity created: ${title(n)}`,
      event: { event: activity(n), details: { name: title(n) } },
    }),
    ignores: [{ ...activity(9), aspect_type: 'update', updates: { title: 'Messy' } }],
  },
  {
    component: 'slack/sources/new-message-in-channels/new-message-in-channels.js',
    host: 'slack.com',
    account: {
      prop: 'slack',
      app: 'slack',
      fields: { oauth_access_token: 'slack-token', oauth_uid: 'U0', signing_secret: SECRET },
    },
    sender: { app: 'slack', secret: SECRET },
    props: () => ({ conversations: ['C1'], resolveNames: true }),
    prop: 'slackApphook',
    eventNames: ['C1'],
    lookups: [
      // The component keeps names, so each message is another user's.
      ...[1, 2].map((n) => ({
        name: `user ${n}`,
        method: 'POST' as const,
        path: '/api/users.info',
        body: { token: 'slack-token', user: `U${n}` },
        response: { body: { ok: true, user: { name: 'somebody' } } },
      })),
      {
        name: 'channel',
        method: 'POST',
        path: '/api/conversations.info',
        body: { token: 'slack-token', channel: 'C1' },
        response: { body: { ok: true, channel: { name: 'general' } } },
      },
    ],
    event: slackMessage,
    emits: (n) => ({
      event: slackMessage(n, { user: 'somebody', user_id: `U${n}`, channel: 'general', channel_id: 'C1' }),
    }),
    ignores: [
      slackMessage(9, { user: 'U0' }),
      slackMessage(9, { subtype: 'message_changed' }),
      slackMessage(9, { channel: 'C2' }),
    ],
  },
  {
    component: 'dropbox/sources/all-updates/all-updates.js',
    host: 'api.dropboxapi.com',
    account: {
      prop: 'dropbox',
      app: 'dropbox',
      fields: { oauth_access_token: 'dropbox-token', app_secret: SECRET },
    },
    sender: { app: 'dropbox', secret: SECRET },
    props: () => ({ path: '/', recursive: false }),
    prop: 'dropboxApphook',
    eventNames: [],
    lookups: [
      {
        name: 'cursor',
        method: 'POST',
        path: '/2/files/list_folder/get_latest_cursor',
        headers: bearer('dropbox-token'),
        body: { path: '', recursive: false },
        response: { body: { cursor: 'cursor 0' } },
      },
      ...[1, 2].map((n) => ({
        name: `changes ${n}`,
        method: 'POST' as const,
        path: '/2/files/list_folder/continue',
        headers: bearer('dropbox-token'),
        body: { cursor: `cursor ${n - 1}` },
        response: { body: { cursor: `cursor ${n}`, has_more: false, entries: [file(n)] } },
      })),
    ],
    event: () => ({
      list_folder: { accounts: ['dbid:AAH4f99T0taONIb-OurWxbNQ6ywGRopQngc'] },
      delta: { users: [12_345_678] },
    }),
    emits: (n) => ({ event: file(n) }),
  },
];
