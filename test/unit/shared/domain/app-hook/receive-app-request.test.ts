import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { AppRequest } from '../../../../../shared/domain/app-hook/app-request.ts';
import { fitsNames } from '../../../../../shared/domain/app-hook/app-hooks.ts';
import { type OpenAppHook, receiveAppRequest } from '../../../../../shared/domain/app-hook/receive-app-request.ts';
import { bodyText } from '../../../../../shared/domain/event/http-event.ts';

const NOW = 1_767_323_045_000;
const SECONDS = String(NOW / 1_000);
const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');
const hook = (app: string, more: Partial<OpenAppHook> = {}): OpenAppHook => ({
  app,
  eventNames: [],
  secret: undefined,
  ...more,
});

interface Sent {
  method?: string;
  query?: string;
  headers?: Record<string, string>;
  content?: string;
}

function request({ method = 'POST', query = '', headers = {}, content = '' }: Sent): AppRequest {
  return {
    method,
    query: new URLSearchParams(query),
    headers: new Map(Object.entries(headers)),
    content,
    text: bodyText({ content }, headers['content-type'] ?? 'application/json'),
  };
}

const receive = (open: OpenAppHook, sent: Sent, now = NOW) => receiveAppRequest(open, request(sent), now);
const signed = (secret: string, prefix: 'x-slack' | 'x-zm', content: string, time = SECONDS): Sent => ({
  content,
  headers: {
    [prefix === 'x-zm' ? 'x-zm-request-timestamp' : 'x-slack-request-timestamp']: time,
    [`${prefix}-signature`]: `v0=${hmac(secret, `v0:${time}:${content}`)}`,
  },
});

describe('a request that Slack signs', () => {
  // https://docs.slack.dev/authentication/verifying-requests-from-slack
  const secret = '8f742231b10e8888abcd99yyyzzz85a5';
  const time = 1_531_420_618;
  const content =
    'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';
  const signature = 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503';
  const sent = (more: Record<string, string> = {}): Sent => ({
    content,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': String(time),
      'x-slack-signature': signature,
      ...more,
    },
  });

  test.each(['slack', 'slack_v2', 'slack_bot'])('is taken as the documentation prints it: %s', (app) => {
    const received = receive(hook(app, { secret }), sent(), time * 1_000);
    expect(JSON.parse(('eventText' in received && received.eventText) || '')).toMatchObject({
      command: '/webhook-collect',
      user_name: 'roadrunner',
    });
  });

  test.each([-300, -299, 299, 300])('is taken %i s before or after its time', (seconds) => {
    expect(receive(hook('slack', { secret }), sent(), (time + seconds) * 1_000)).toHaveProperty('eventText');
  });

  test.each<[string, Sent, number]>([
    ['with another body', { ...sent(), content: `${content}&x=1` }, time],
    ['with another secret', sent({ 'x-slack-signature': signature.replace('a', 'b') }), time],
    ['with a signature that is cut', sent({ 'x-slack-signature': signature.slice(0, -1) }), time],
    ['with another time than it signed', sent({ 'x-slack-request-timestamp': String(time + 1) }), time],
    ['without a signature', { content }, time],
    ['301 s too late', sent(), time + 301],
    ['301 s too early', sent(), time - 301],
  ])('%s is 401 wrong_signature', (_, wrong, at) => {
    expect(() => receive(hook('slack', { secret }), wrong, at * 1_000)).toThrow(
      expect.objectContaining({ kind: 'unauthenticated', code: 'wrong_signature' }),
    );
  });

  test('whose signed time is no number is 401', () => {
    expect(() => receive(hook('slack', { secret }), signed(secret, 'x-slack', '{}', '1e9'))).toThrow(
      expect.objectContaining({ code: 'wrong_signature' }),
    );
  });
});

test('without the secret in the account a request is taken unchecked', () => {
  for (const app of ['slack', 'zoom', 'dropbox'])
    expect(receive(hook(app), { content: '{"a":1}' })).toEqual({ eventText: '{"a":1}' });
});

describe('the check of an address', () => {
  const slack =
    '{"token":"Jhj5dZrVaK7ZwHHjRyZWjbDl","challenge":"3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P","type":"url_verification"}';
  const zoom =
    '{"payload":{"plainToken":"qgg8vlvZRS6UYooatFL8Aw"},"event_ts":1654503849680,"event":"endpoint.url_validation"}';

  test('of Slack is answered with its challenge, once its signature is checked', () => {
    const open = hook('slack', { secret: 's' });
    const response = {
      contentType: 'text/plain; charset=utf-8',
      body: '3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P',
    };
    expect(receive(open, signed('s', 'x-slack', slack))).toEqual({ response });
    expect(receive(hook('slack'), { content: slack })).toEqual({ response });
    expect(() => receive(open, { content: slack })).toThrow(expect.objectContaining({ code: 'wrong_signature' }));
  });

  test('of Zoom is answered with its token and the HMAC of it, once its signature is checked', () => {
    const open = hook('zoom_admin', { secret: 's' });
    expect(receive(open, signed('s', 'x-zm', zoom))).toEqual({
      response: {
        contentType: 'application/json',
        body: JSON.stringify({
          plainToken: 'qgg8vlvZRS6UYooatFL8Aw',
          encryptedToken: hmac('s', 'qgg8vlvZRS6UYooatFL8Aw'),
        }),
      },
    });
    expect(() => receive(open, { content: zoom })).toThrow(expect.objectContaining({ code: 'wrong_signature' }));
    expect(() => receive(hook('zoom'), { content: zoom })).toThrow(/webhook_secret_token/);
  });

  test.each(['v0:1767323045:{}', 'ä', '', 'x'.repeat(129), 5, undefined])(
    'of Zoom with the plainToken %j is 400',
    (plainToken) => {
      const content = JSON.stringify({ payload: { plainToken }, event: 'endpoint.url_validation' });
      expect(() => receive(hook('zoom', { secret: 's' }), signed('s', 'x-zm', content))).toThrow(
        expect.objectContaining({ code: 'invalid_request' }),
      );
    },
  );

  test('of Dropbox is answered with its challenge', () => {
    expect(receive(hook('dropbox', { secret: 's' }), { method: 'GET', query: 'challenge=abc123' })).toEqual({
      response: { contentType: 'text/plain; charset=utf-8', body: 'abc123' },
    });
  });

  test('of Strava is answered in JSON', () => {
    const query = 'hub.verify_token=STRAVA&hub.challenge=15f7d1a91c1f40f8a748fd134752feb3&hub.mode=subscribe';
    expect(receive(hook('strava'), { method: 'GET', query })).toEqual({
      response: {
        contentType: 'application/json',
        body: '{"hub.challenge":"15f7d1a91c1f40f8a748fd134752feb3"}',
      },
    });
  });

  test.each(['a b', '<b>\n', 'a'.repeat(257), 'ü', ''])('with the challenge %j is 400', (challenge) => {
    const query = new URLSearchParams({ challenge, 'hub.challenge': challenge }).toString();
    for (const app of ['dropbox', 'strava'])
      expect(() => receive(hook(app), { method: 'GET', query })).toThrow(
        expect.objectContaining({ code: 'invalid_request' }),
      );
  });

  test('of one app is an event of another', () => {
    expect(receive(hook('strava'), { content: slack })).toEqual({ eventText: slack });
    expect(receive(hook('some_app'), { content: zoom })).toEqual({ eventText: zoom });
    expect(receive(hook('dropbox'), { query: 'challenge=abc', content: '{}' })).toEqual({ eventText: '{}' });
  });
});

describe('a notification of Dropbox', () => {
  const content =
    '{"list_folder":{"accounts":["dbid:AAH4f99T0taONIb-OurWxbNQ6ywGRopQngc"]},"delta":{"users":[12345678]}}';

  test('is checked by its signature, which has no time', () => {
    const open = hook('dropbox', { secret: 's' });
    const headers = { 'x-dropbox-signature': hmac('s', content) };
    expect(receive(open, { content, headers })).toEqual({ eventText: content });
    expect(() => receive(open, { content: `${content} `, headers })).toThrow(/x-dropbox-signature/);
  });
});

describe('the component gets', () => {
  test("Slack's inner event, with members of any name", () => {
    const event = '{"type":"message","channel":"C1","__proto__":{"a":1}}';
    const content = `{"token":"t","type":"event_callback","event":${event},"event_id":"Ev1"}`;
    expect(receive(hook('slack'), { content })).toEqual({ eventText: event });
  });

  test('the object of an interaction, which is a form', () => {
    const payload = '{"type": "block_actions", "actions": [{"action_id": "a1"}]}';
    const sent: Sent = {
      content: new URLSearchParams({ payload }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    };
    expect(receive(hook('slack'), sent)).toEqual({ eventText: payload });
    expect(receive(hook('zoom'), sent)).toEqual({ eventText: JSON.stringify({ payload }) });
  });

  test.each(['no JSON', '5', `${'['.repeat(257)}${']'.repeat(257)}`])(
    'a form whose payload is no object as it is: %j',
    (payload) => {
      const content = new URLSearchParams({ payload }).toString();
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      expect(receive(hook('slack'), { content, headers })).toEqual({
        eventText: JSON.stringify({ payload }),
      });
    },
  );

  test("another app's body as it is", () => {
    expect(receive(hook('some_app', { eventNames: ['made'] }), { content: ' {"b":1.0} ' })).toEqual({
      eventText: '{"b":1.0}',
    });
    expect(receive({ app: undefined, eventNames: ['made'], secret: undefined }, {})).toEqual({
      eventText: '{}',
    });
  });
});

describe('names', () => {
  const message = { type: 'message', channel_type: 'im', channel: 'C1' };
  const reaction = { type: 'reaction_added', item: { type: 'message', channel: 'C1' } };
  const pressed = {
    type: 'block_actions',
    channel: { id: 'C1', name: 'x' },
    actions: [{ action_id: 'a1' }, { action_id: 'a2' }],
  };
  test.each<[string, string, object]>([
    ['slack', 'message', message],
    ['slack_v2', 'message.im', message],
    ['slack', 'C1', message],
    ['slack', 'message:C1', message],
    ['slack', 'C1', { type: 'channel_created', channel: { id: 'C1' } }],
    ['slack', 'C1', reaction],
    ['slack', 'reaction_added:C1', reaction],
    ['slack_bot', 'interaction_events', pressed],
    ['slack', 'interaction_events:C1', pressed],
    ['slack', 'interaction_events:a2', pressed],
    ['slack', 'interaction_events:C1:a1', pressed],
    ['zoom', 'meeting.created.by_me', { event: 'meeting.created' }],
    ['zoom', 'meeting.created.for_me', { event: 'meeting.created' }],
    ['zoom_admin', 'webinar.ended', { event: 'webinar.ended' }],
    ['strava', 'activity.create', { object_type: 'activity', aspect_type: 'create' }],
    ['dropbox', 'whatever', {}],
    ['some_app', 'made', { event: 'deleted' }],
  ])('of %s: %s fits', (app, name, event) => {
    expect(fitsNames(app, ['other', name], JSON.stringify(event))).toBe(true);
  });

  test.each<[string, string, unknown]>([
    ['slack', 'C2', message],
    ['slack', 'message.channel', message],
    ['slack', 'block_actions', pressed],
    ['slack', 'C1', pressed],
    ['slack', 'interaction_events', message],
    ['slack', 'interaction_events:C2:a1', pressed],
    ['slack', 'toString', {}],
    ['slack', 'C1', [message]],
    ['zoom', 'meeting.created', { event: 'meeting.created.by_me' }],
    ['zoom', 'meeting.sharing_started.host', { event: 'meeting.sharing_started' }],
    ['strava', 'activity.create', { object_type: 'athlete', aspect_type: 'create' }],
    ['strava', 'activity.create', null],
  ])('of %s: %s does not fit', (app, name, event) => {
    expect(fitsNames(app, [name], JSON.stringify(event))).toBe(false);
  });

  test('that are none fit everything', () => {
    expect(fitsNames('slack', [], '5')).toBe(true);
  });

  test('that do not fit make no event of a request', () => {
    const open = hook('zoom', { eventNames: ['meeting.ended'] });
    expect(receive(open, { content: '{"event":"meeting.started"}' })).toEqual({ eventText: undefined });
  });
});
