import { bearer, type TimerScenario } from '../scenario.ts';
import type { Expected, Rule } from '../stand-in.ts';

const DAY_MS = 86_400_000;
const headers = (token: string) => ({ ...bearer(token), 'content-type': 'application/json' });
/** Later than every poll of this run, each later than the one before. */
const later = (title: string) => Date.now() + title.charCodeAt(0) * DAY_MS;
const newestFirst = (titles: readonly string[]) => [...titles].reverse();

const app = (token: string) => ({
  host: 'api.hubapi.com',
  account: { prop: 'hubspot', app: 'hubspot', fields: { oauth_access_token: token } },
});

const search = (kind: string, token: string, body: Expected, results: readonly unknown[]): Rule => ({
  name: `search ${kind}`,
  method: 'POST',
  path: `/crm/v3/objects/${kind}/search`,
  headers: headers(token),
  body,
  response: { body: { total: results.length, results } },
});

const two = (
  rules: (titles: readonly string[]) => readonly Rule[],
  emits: (title: string) => string,
): TimerScenario['polls'] => [
  { rules: () => rules(['A', 'B']), emits: ['A', 'B'].map(emits) },
  { rules: () => rules(['A', 'B', 'C']), emits: [emits('C')] },
];

export const hubspot: readonly TimerScenario[] = [
  {
    ...app('hubspot-contacts'),
    component: 'hubspot/sources/new-contact/new-contact.js',
    polls: two(
      (titles) => [
        search(
          'contacts',
          'hubspot-contacts',
          { limit: 100, sorts: [{ propertyName: 'createdate', direction: 'DESCENDING' }] },
          newestFirst(titles).map((title) => ({
            id: `contact-${title}`,
            createdAt: new Date(later(title)).toISOString(),
            properties: { firstname: title, lastname: 'Smith' },
          })),
        ),
      ],
      (title) => `${title} Smith`,
    ),
  },
  {
    ...app('hubspot-deals'),
    component: 'hubspot/sources/new-deal-in-stage/new-deal-in-stage.js',
    isExtra: true,
    props: () => ({ stages: [JSON.stringify({ label: 'Won', value: 'stage-7' })] }),
    polls: two(
      (titles) => [
        search(
          'deals',
          'hubspot-deals',
          { limit: 100, filters: [{ propertyName: 'dealstage', operator: 'EQ', value: 'stage-7' }] },
          newestFirst(titles).map((title) => ({
            id: `deal-${title}`,
            updatedAt: new Date(later(title)).toISOString(),
            properties: { dealname: title, dealstage: 'stage-7' },
          })),
        ),
      ],
      (title) => `${title} Won`,
    ),
  },
  {
    ...app('hubspot-mails'),
    component: 'hubspot/sources/new-email-event/new-email-event.js',
    isExtra: true,
    // Two pages: the request for the second has the offset that the first returned.
    polls: two(
      (titles) =>
        [0, 1].map((page): Rule => ({
          name: `page ${page}`,
          method: 'GET',
          path: '/email/public/v1/events',
          query: { limit: '100', startTimestamp: /^\d{13}$/, ...(page === 1 ? { offset: 'next' } : {}) },
          headers: bearer('hubspot-mails'),
          response: {
            body: {
              hasMore: page === 0,
              offset: 'next',
              events: titles
                .filter((_, at) => (at === 0) === (page === 0))
                .map((title) => ({
                  id: `mail-${title}`,
                  created: later(title),
                  recipient: `${title}@acme.test`,
                  type: 'OPEN',
                })),
            },
          },
        })),
      (title) => `${title}@acme.test - OPEN`,
    ),
  },
];
