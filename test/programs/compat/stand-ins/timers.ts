import { bearer, type Poll, type TimerScenario } from '../scenario.ts';
import { type StandInResponse, PLAIN, type Rule } from '../stand-in.ts';
import { googleTimers } from './google.ts';
import { hubspot } from './hubspot.ts';
import { intercom } from './intercom.ts';
import { salesforceTimers } from './salesforce.ts';
import { twitter } from './twitter.ts';

const DAY_MS = 86_400_000;
/** Later than every poll of this run, so that a component that looks for new items finds it. */
const soon = (n: number) => new Date(Date.now() + n * DAY_MS).toISOString();
const get = (path: string, more: Partial<Rule> & { response: Rule['response'] }): Rule => ({
  name: `GET ${path}`,
  method: 'GET',
  path,
  ...more,
});
const polls = (
  rules: (titles: readonly string[], n: number) => readonly Rule[],
  [first, second]: readonly [readonly string[], readonly string[]] = [['A', 'B'], ['C']],
  emits = (title: string) => title,
): [Poll, Poll] => [
  { rules: () => rules(first, 1), emits: first.map(emits) },
  { rules: () => rules([...first, ...second], 2), emits: second.map(emits) },
];

/** Two polls with a number each. */
const numberPolls = (poll: (n: number) => Poll): [Poll, Poll] => [poll(1), poll(2)];

const feed = (titles: readonly string[]): StandInResponse => ({
  headers: { 'content-type': 'application/rss+xml' },
  body: `<?xml version="1.0"?><rss version="2.0"><channel><title>T</title><link>http://f.test</link><description>D</description>${titles
    .map(
      (title, at) =>
        `<item><guid isPermaLink="false">g-${title}</guid><title>${title}</title><link>http://f.test/${title}</link><pubDate>${new Date(Date.UTC(2026, 0, 1, 0, at)).toUTCString()}</pubDate></item>`,
    )
    .reverse()
    .join('')}</channel></rss>`,
});

const AGENT = { 'user-agent': '@PipedreamHQ/pipedream v0.1' };
const idOf = (title: string) => title.charCodeAt(0);

export const timerScenarios: readonly TimerScenario[] = [
  {
    component: 'rss/sources/new-item-in-feed/new-item-in-feed.js',
    host: PLAIN,
    props: ({ plain }) => ({ url: `${plain}/rss/feed.xml` }),
    polls: polls((titles) => [get('/rss/feed.xml', { response: feed(titles) })]),
  },
  ...['newcomments', 'newest'].map((kind): TimerScenario => ({
    component:
      kind === 'newest'
        ? 'hacker_news/sources/new-stories-by-keyword/new-stories-by-keyword.js'
        : 'hacker_news/sources/new-comments-by-keyword/new-comments-by-keyword.js',
    host: 'hnrss.org',
    props: () => ({ keyword: 'event sources' }),
    polls: polls((titles) => [get(`/${kind}`, { query: { q: 'event sources' }, response: feed(titles) })]),
  })),
  ...['', 'serverless'].map((tag): TimerScenario => ({
    component:
      tag === ''
        ? 'dev_to/sources/fresh-stories/fresh-stories.js'
        : 'dev_to/sources/fresh-stories-by-tag/fresh-stories-by-tag.js',
    host: 'dev.to',
    account: { prop: 'dev_to', app: 'dev_to', fields: { api_key: `dev-key-${tag}` } },
    ...(tag === '' ? {} : { props: () => ({ tag }) }),
    polls: polls((titles) => [
      get('/api/articles', {
        query: { per_page: '1000', top: '1', ...(tag === '' ? {} : { tag }) },
        headers: { 'api-key': `dev-key-${tag}` },
        response: {
          body: titles.map((title) => ({ id: idOf(title), title, published_timestamp: soon(idOf(title)) })),
        },
      }),
    ]),
  })),
  {
    component: 'npm/sources/download-counts/download-counts.js',
    host: 'api.npmjs.org',
    props: () => ({ package: '@scope/name', period: 'last-week' }),
    polls: numberPolls((downloads) => ({
      rules: () => [get('/downloads/point/last-week/@scope/name', { response: { body: { downloads } } })],
      emits: [String(downloads)],
    })),
  },
  {
    component: 'here/sources/weather-for-zip/weather-for-zip.js',
    host: 'weather.ls.hereapi.com',
    account: { prop: 'here', app: 'here', fields: { apikey: 'here-key' } },
    props: () => ({ zipCode: 94_103 }),
    polls: numberPolls((hour) => ({
      rules: () => [
        get('/weather/1.0/report.json', {
          query: { apiKey: 'here-key', product: 'observation', zipcode: '94103' },
          response: { body: { feedCreation: `${hour}:00` } },
        }),
      ],
      emits: [`Weather report for 94103 at ${hour}:00`],
    })),
  },
  {
    component: 'spotify/sources/new-playlist/new-playlist.js',
    host: 'api.spotify.com',
    account: { prop: 'spotify', app: 'spotify', fields: { oauth_access_token: 'spotify-lists' } },
    // More than a page of them the second time.
    polls: polls(
      (titles) =>
        ['0', '20'].map((offset) =>
          get('/v1/me/playlists', {
            name: `playlists from ${offset}`,
            query: { limit: '20', offset },
            headers: bearer('spotify-lists'),
            response: {
              body: {
                total: titles.length,
                items: titles.slice(Number(offset), Number(offset) + 20).map((name) => ({ id: `p-${name}`, name })),
              },
            },
          }),
        ),
      [Array.from({ length: 15 }, (_, n) => `List ${n}`), Array.from({ length: 10 }, (_, n) => `More ${n}`)],
    ),
  },
  {
    component: 'spotify/sources/new-saved-track/new-saved-tracks.js',
    host: 'api.spotify.com',
    account: { prop: 'spotify', app: 'spotify', fields: { oauth_access_token: 'spotify-tracks' } },
    polls: polls((titles) => [
      get('/v1/me/tracks', {
        query: { limit: '20', offset: '0' },
        headers: bearer('spotify-tracks'),
        response: {
          body: {
            total: titles.length,
            items: titles.map((name) => ({
              added_at: soon(idOf(name) - 64),
              track: { id: `t-${name}`, name },
            })),
          },
        },
      }),
    ]),
  },
  {
    component: 'calendly/sources/new-event-type/new-event-type.js',
    host: 'calendly.com',
    account: { prop: 'calendly', app: 'calendly', fields: { api_key: 'calendly-types' } },
    polls: polls((titles) => [
      get('/api/v1/users/me/event_types', {
        headers: { 'x-token': 'calendly-types' },
        response: {
          body: {
            data: titles.map((name) => ({ id: name, attributes: { name, created_at: soon(1) } })),
          },
        },
      }),
    ]),
  },
  {
    component: 'pagerduty/sources/new-oncall-rotation/new-oncall-rotation.js',
    host: 'api.pagerduty.com',
    account: { prop: 'pagerduty', app: 'pagerduty', fields: { oauth_access_token: 'pager-token' } },
    polls: polls(
      (titles) => {
        const headers = {
          ...bearer('pager-token'),
          ...AGENT,
          accept: 'application/vnd.pagerduty+json;version=2',
        };
        return [
          get('/escalation_policies', {
            headers,
            response: { body: { escalation_policies: [{ id: 'P1', summary: 'One' }] } },
          }),
          get('/oncalls', {
            headers,
            query: { 'escalation_policy_ids[]': 'P1' },
            response: { body: { oncalls: titles.map((name) => ({ user: { id: name, summary: name } })) } },
          }),
          get('/escalation_policies/P1', {
            headers,
            response: { body: { escalation_policy: { id: 'P1', name: 'Night' } } },
          }),
        ];
      },
      undefined,
      (name) => `${name} is now on-call for escalation policy Night`,
    ),
  },
  {
    component: 'ghost/sources/new-author/new-author.js',
    host: PLAIN,
    account: {
      prop: 'ghost',
      app: 'ghost_org_content_api',
      fields: { admin_domain: ({ plain }) => `${plain}/blog`, content_api_key: 'ghost-key' },
    },
    polls: polls((titles) =>
      titles.map((name, at) =>
        get('/blog/ghost/api/v3/content/authors', {
          name: `page ${at + 1}`,
          query: { key: 'ghost-key', limit: '15', page: String(at + 1) },
          response: {
            body: { meta: { pagination: { pages: titles.length } }, authors: [{ id: name, name }] },
          },
        }),
      ),
    ),
  },
  {
    component: 'gorgias/sources/new-events/new-events.js',
    host: 'acme.gorgias.com',
    account: {
      prop: 'gorgias',
      app: 'gorgias',
      fields: { domain: 'acme', email: 'ann@acme.test', api_key: 'gorgias-key' },
    },
    polls: polls((titles) => [
      get('/api/events/', {
        query: { per_page: '100' },
        headers: {
          authorization: `Basic ${Buffer.from('ann@acme.test:gorgias-key').toString('base64')}`,
        },
        response: {
          body: {
            data: titles.map((type) => ({ id: idOf(type), type, created_datetime: soon(idOf(type)) })),
          },
        },
      }),
    ]),
  },
  {
    component: 'formstack/sources/new-form/new-form.js',
    host: 'www.formstack.com',
    account: { prop: 'formstack', app: 'formstack', fields: { oauth_access_token: 'formstack-forms' } },
    polls: polls((titles) => [
      get('/api/v2/form.json', {
        query: { page: '1', per_page: '100', folders: 'false' },
        headers: bearer('formstack-forms'),
        response: { body: { forms: titles.map((name) => ({ id: idOf(name), name })) } },
      }),
    ]),
  },
  {
    component: 'github/sources/new-commit/new-commit.js',
    host: 'api.github.com',
    account: { prop: 'github', app: 'github', fields: { oauth_access_token: 'github-commits' } },
    props: () => ({ repoFullName: 'acme/one', branch: 'main' }),
    polls: polls((titles) => [
      get('/repos/acme/one/commits', {
        query: { per_page: '100', sha: 'main' },
        headers: { authorization: 'token github-commits', ...AGENT },
        response: {
          body: titles
            .map((message) => ({
              sha: `sha-${message}`,
              commit: { message, author: { date: soon(idOf(message)) } },
            }))
            .reverse(),
        },
      }),
    ]),
  },
  {
    component: 'asana/sources/new-workspace/new-workspace.js',
    host: 'app.asana.com',
    account: { prop: 'asana', app: 'asana', fields: { oauth_access_token: 'asana-spaces' } },
    polls: polls((titles) => [
      get('/api/1.0/workspaces', {
        headers: bearer('asana-spaces'),
        response: { body: { data: titles.map((gid) => ({ gid })) } },
      }),
      ...titles.map((gid) =>
        get(`/api/1.0/workspaces/${gid}`, {
          headers: bearer('asana-spaces'),
          response: { body: { data: { gid, name: gid } } },
        }),
      ),
    ]),
  },
  ...twitter,
  ...hubspot,
  ...intercom,
  ...salesforceTimers,
  ...googleTimers,
];
