import { authorizationOf, type Credentials, signatureProblem } from '../oauth1.ts';
import type { TimerScenario } from '../scenario.ts';
import type { StandInResponse, Call, Expected, Rule } from '../stand-in.ts';

const HOST = 'api.twitter.com';
/** The user's secret, and one that the upstream does not know. */
const [SECRET, ANOTHER] = ['twitter-token-secret', 'twitter-secret-of-nobody'];
const credentials: Credentials = {
  consumer: { key: 'twitter-app', secret: 'twitter-app-secret' },
  token: { key: 'twitter-token', secret: SECRET },
};

/** A request that its user has signed. Props that are not set are empty parameters. */
const signed = (path: string, query: Rule['query'], response: Rule['response']): Rule => ({
  name: `GET ${path}`,
  method: 'GET',
  path,
  ...(query ? { query } : {}),
  check: (call) => signatureProblem(call, credentials),
  response,
});

/** Refuses a request with another signature, on any path. */
const refusal = (query: Rule['query']): Rule => ({
  name: 'refuse',
  method: 'GET',
  path: /^\/(?:1\.1|labs\/1)\//,
  ...(query ? { query } : {}),
  check: (call) => {
    const { authorization = '' } = call.headers;
    if (!authorization.startsWith('OAuth ')) return 'it is not signed at all';
    return signatureProblem(call, credentials) ? undefined : 'it is rightly signed';
  },
  response: { status: 401, body: { errors: [{ code: 32, message: 'Could not authenticate you.' }] } },
});

/** The signing service at the account's address: it has the application's secret, the account the user's. */
const signer: Rule = {
  name: 'sign for twitter',
  method: 'POST',
  path: '/twitter-signer',
  body: {
    token: { key: credentials.token.key, secret: new RegExp(`^(?:${SECRET}|${ANOTHER})$`) },
    requestData: { url: new RegExp(`^https://${HOST}/1\\.1/`) },
  },
  response: (call) => {
    const { requestData, token } = call.body as {
      requestData: { url: string; method?: string };
      token: Credentials['token'];
    };
    const { method = 'GET', url } = requestData;
    return { body: authorizationOf({ method, url }, { ...credentials, token }) };
  },
};

const app = {
  host: HOST,
  plainRules: [signer],
  account: {
    prop: 'twitter',
    app: 'twitter',
    fields: {
      oauth_access_token: credentials.token.key,
      oauth_refresh_token: SECRET,
      oauth_signer_uri: ({ plain }: { plain: string }) => `${plain}/twitter-signer`,
    },
  },
} as const;

const CREATED_AT = 'Thu Jan 01 00:00:00 +0000 2026';
const tweet = (n: number) => ({
  id: n,
  id_str: String(n),
  full_text: `Tweet ${n}`,
  created_at: CREATED_AT,
});
const tweets = (numbers: readonly number[]) => numbers.map((n) => `Tweet ${n}`);
const since = (call: Call, numbers: readonly number[]) =>
  numbers.filter((n) => n > Number(call.query['since_id'])).map(tweet);

/** All characters that OAuth signatures encode differently from URLs. */
const TERM = "søurces & more!*'() ~ 100%";
const unset = { lang: '', locale: '', geocode: '' };
const searched: Record<string, Expected> = {
  ...unset,
  q: TERM,
  since_id: /^\d*$/,
  max_id: '',
  tweet_mode: 'extended',
  count: '100',
  result_type: 'recent',
};
const searches = (numbers: readonly number[]): Rule =>
  signed('/1.1/search/tweets.json', searched, (call): StandInResponse => ({
    body: { statuses: since(call, numbers) },
  }));

const timeline: Record<string, Expected> = {
  screen_name: 'ann',
  count: '100',
  exclude_replies: 'false',
  include_rts: 'include',
  tweet_mode: 'extended',
};
const timelines = (numbers: readonly number[], sinceId: Record<string, Expected>): Rule =>
  signed('/1.1/statuses/user_timeline.json', { ...timeline, ...sinceId }, (call) => ({
    body: since({ ...call, query: { since_id: '0', ...call.query } }, numbers),
  }));

const followers = (ids: readonly number[]): Rule =>
  signed(
    '/1.1/followers/ids.json',
    { screen_name: '', stringify_ids: 'true' },
    {
      body: { ids: ids.map(String), next_cursor: 0, previous_cursor: 0 },
    },
  );
const lookedUp = (id: number): Rule =>
  signed(
    '/1.1/users/lookup.json',
    { user_id: String(id) },
    {
      body: [{ id_str: String(id), screen_name: `follower-${id}` }],
    },
  );

const metrics = { id: 'm1' };
const tweetMetrics = (likes: number): Rule[] => [
  {
    ...signed(
      '/labs/1/tweets/metrics/private',
      { ids: metrics.id },
      {
        body: { data: [{ tweet_id: metrics.id, tweet: { like_count: likes } }] },
      },
    ),
    headers: { 'user-agent': 'twit-client' },
  },
  refusal({ ids: metrics.id }),
];

/** Requests signed by OAuth 1: the upstream computes each signature itself. */
export const twitter: readonly TimerScenario[] = [
  {
    ...app,
    component: 'twitter/sources/search-mentions/search-mentions.js',
    props: () => ({ q: TERM }),
    refused: { oauth_refresh_token: ANOTHER },
    polls: [
      { rules: () => [searches([101, 102]), refusal(searched)], emits: tweets([101, 102]) },
      { rules: () => [searches([101, 102, 103]), refusal(searched)], emits: tweets([103]) },
    ],
  },
  {
    ...app,
    component: 'twitter/sources/user-tweets/user-tweets.js',
    isExtra: true,
    props: () => ({ screen_name: 'ann' }),
    polls: [
      { rules: () => [timelines([201, 202], {})], emits: tweets([201, 202]) },
      { rules: () => [timelines([201, 202, 203], { since_id: '202' })], emits: tweets([203]) },
    ],
  },
  {
    ...app,
    component: 'twitter/sources/new-unfollower-of-me/new-unfollower-of-me.js',
    isExtra: true,
    activate: [followers([1, 2, 3])],
    polls: [
      { rules: () => [followers([1, 2]), lookedUp(3)], emits: ['follower-3'] },
      { rules: () => [followers([1]), lookedUp(2)], emits: ['follower-2'] },
    ],
  },
  {
    component: 'twitter_developer_app/sources/new-tweet-metrics/new-tweet-metrics.js',
    host: HOST,
    isExtra: true,
    account: {
      prop: 'twitterlabs',
      app: 'twitter_developer_app',
      fields: {
        api_key: credentials.consumer.key,
        api_secret_key: credentials.consumer.secret,
        access_token: credentials.token.key,
        access_token_secret: SECRET,
      },
    },
    props: () => ({ id: metrics.id }),
    refused: { access_token_secret: ANOTHER },
    polls: [
      { rules: () => tweetMetrics(1), emits: ['{"like_count":1}'] },
      { rules: () => tweetMetrics(2), emits: ['{"like_count":2}'] },
    ],
  },
];
