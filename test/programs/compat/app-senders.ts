import { createHmac } from 'node:crypto';

/** A request of an app, and what it expects of the response. */
export interface AppRequest {
  readonly method: 'GET' | 'POST';
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The body of the response. */
  readonly response: string;
}

/** How an app sends, by the documentation of its vendor alone. */
export interface AppSender {
  /** The request by which it checks an address. */
  check(secret: string): AppRequest;
  /** A request with an event. */
  event(event: unknown, secret: string): AppRequest;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const ACCEPTED = '{"success":true}';
const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');
const seconds = () => String(Math.floor(Date.now() / 1_000));

function slackRequest(secret: string, value: unknown, response: string): AppRequest {
  const [body, time] = [JSON.stringify(value), seconds()];
  const headers = {
    ...JSON_TYPE,
    'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
    'x-slack-request-timestamp': time,
    'x-slack-signature': `v0=${hmac(secret, `v0:${time}:${body}`)}`,
  };
  return { method: 'POST', headers, body, response };
}

/** https://docs.slack.dev/apis/events-api and https://docs.slack.dev/authentication/verifying-requests-from-slack */
const slack: AppSender = {
  check: (secret) =>
    slackRequest(
      secret,
      {
        token: 'Jhj5dZrVaK7ZwHHjRyZWjbDl',
        challenge: '3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P',
        type: 'url_verification',
      },
      '3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P',
    ),
  event: (event, secret) =>
    slackRequest(
      secret,
      {
        token: 'one-long-verification-token',
        team_id: 'T061EG9R6',
        api_app_id: 'A0PNCHHK2',
        event,
        type: 'event_callback',
        authed_teams: [],
        event_id: 'Ev0PV52K25',
        event_time: 1_355_517_523,
      },
      ACCEPTED,
    ),
};

function zoomRequest(secret: string, value: unknown, response: string): AppRequest {
  const [body, time] = [JSON.stringify(value), seconds()];
  const headers = {
    ...JSON_TYPE,
    'user-agent': 'Zoom Marketplace/1.0a',
    'x-zm-request-timestamp': time,
    'x-zm-signature': `v0=${hmac(secret, `v0:${time}:${body}`)}`,
  };
  return { method: 'POST', headers, body, response };
}

/** https://developers.zoom.us/docs/api/webhooks/ */
const zoom: AppSender = {
  check(secret) {
    const plainToken = 'qgg8vlvZRS6UYooatFL8Aw';
    const value = { payload: { plainToken }, event_ts: 1_654_503_849_680, event: 'endpoint.url_validation' };
    return zoomRequest(secret, value, JSON.stringify({ plainToken, encryptedToken: hmac(secret, plainToken) }));
  },
  event: (event, secret) => zoomRequest(secret, event, ACCEPTED),
};

/** https://developers.strava.com/docs/webhooks/ */
const strava: AppSender = {
  check: () => ({
    method: 'GET',
    query: '?hub.verify_token=STRAVA&hub.challenge=15f7d1a91c1f40f8a748fd134752feb3&hub.mode=subscribe',
    response: '{"hub.challenge":"15f7d1a91c1f40f8a748fd134752feb3"}',
  }),
  event: (event) => ({
    method: 'POST',
    headers: JSON_TYPE,
    body: JSON.stringify(event),
    response: ACCEPTED,
  }),
};

/** https://www.dropbox.com/developers/reference/webhooks */
const dropbox: AppSender = {
  check: () => ({ method: 'GET', query: '?challenge=abc123', response: 'abc123' }),
  event(event, secret) {
    const body = JSON.stringify(event);
    const headers = { ...JSON_TYPE, 'x-dropbox-signature': hmac(secret, body) };
    return { method: 'POST', headers, body, response: ACCEPTED };
  },
};

export const APP_SENDERS: Readonly<Record<'slack' | 'zoom' | 'strava' | 'dropbox', AppSender>> = {
  slack,
  zoom,
  strava,
  dropbox,
};

export const sendFromApp = (endpoint: string, { method, query = '', headers = {}, body }: AppRequest) =>
  fetch(`${endpoint}${query}`, { method, headers, ...(body === undefined ? {} : { body }) });
