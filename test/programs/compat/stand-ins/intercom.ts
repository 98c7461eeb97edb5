import { bearer, type TimerScenario } from '../scenario.ts';
import type { Rule } from '../stand-in.ts';

const DAY_S = 86_400;
const headers = (token: string) => ({ ...bearer(token), accept: 'application/json' });
const at = (title: string) => Math.floor(Date.now() / 1000) + title.charCodeAt(0) * DAY_S;

const app = (token: string) => ({
  host: 'api.intercom.io',
  account: { prop: 'intercom', app: 'intercom', fields: { oauth_access_token: token } },
});
const emits = [{ emits: ['A', 'B'] }, { emits: ['C'] }] as const;

const companies = (titles: readonly string[]): Rule => ({
  name: 'companies',
  method: 'GET',
  path: '/companies',
  headers: headers('intercom-companies'),
  response: {
    body: {
      pages: { next: null },
      data: [...titles].reverse().map((name) => ({ id: `company-${name}`, name, created_at: at(name) })),
    },
  },
});

/** Two pages, the second by the cursor of the first. */
const users = (titles: readonly string[]): readonly Rule[] =>
  [0, 1].map((page) => ({
    name: `users, page ${page}`,
    method: 'POST',
    path: '/contacts/search',
    ...(page === 1 ? { query: { starting_after: 'cursor' } } : {}),
    headers: headers('intercom-users'),
    body: {
      query: {
        operator: 'AND',
        value: [
          { field: 'created_at', operator: '>', value: (value) => typeof value === 'number' },
          { field: 'role', operator: '=', value: 'user' },
        ],
      },
    },
    response: {
      body: {
        pages: { next: page === 0 ? { starting_after: 'cursor' } : null },
        data: titles
          .filter((_, n) => (n === 0) === (page === 0))
          .map((name) => ({ id: `user-${name}`, name, created_at: at(name) })),
      },
    },
  }));

/** The address to ask next is the upstream's own, kept between polls. */
const SINCE = 'https://api.intercom.io/events/since/1';
const events = (titles: readonly string[], n: 1 | 2): Rule => ({
  name: 'events',
  method: 'GET',
  ...(n === 1 ? { path: '/events', query: { type: 'user', intercom_user_id: 'u7' } } : { path: '/events/since/1' }),
  headers: headers('intercom-events'),
  response: {
    body: {
      pages: { next: null, since: SINCE },
      events: titles.map((name) => ({ id: `event-${name}`, event_name: name, created_at: at(name) })),
    },
  },
});

export const intercom: readonly TimerScenario[] = [
  {
    ...app('intercom-companies'),
    component: 'intercom/sources/new-company/new-company.js',
    isExtra: true,
    polls: [
      { ...emits[0], rules: () => [companies(['A', 'B'])] },
      { ...emits[1], rules: () => [companies(['A', 'B', 'C'])] },
    ],
  },
  {
    ...app('intercom-users'),
    component: 'intercom/sources/new-user/new-user.js',
    polls: [
      { ...emits[0], rules: () => users(['A', 'B']) },
      { ...emits[1], rules: () => users(['A', 'B', 'C']) },
    ],
  },
  {
    ...app('intercom-events'),
    component: 'intercom/sources/new-event/new-event.js',
    isExtra: true,
    props: () => ({ userIds: ['u7'] }),
    polls: [
      { ...emits[0], rules: () => [events(['A', 'B'], 1)] },
      { ...emits[1], rules: () => [events(['C'], 2)] },
    ],
  },
];
