import { bearer, type HookScenario } from '../scenario.ts';
import { issueCreated } from '../senders/sentry.ts';
import { AGENT, register, remove } from './common.ts';

const sentryHeaders = { ...bearer('sentry-token'), ...AGENT };
export const sentry: HookScenario = {
  component: 'sentry/sources/issue-event/issue-event.js',
  host: 'sentry.io',
  account: { prop: 'sentry', app: 'sentry', fields: { auth_token: 'sentry-token' } },
  props: () => ({ organizationSlug: 'acme' }),
  customResponse: true,
  activate: (endpoint) => [
    register({
      method: 'POST',
      path: '/api/0/sentry-apps/',
      headers: sentryHeaders,
      body: {
        scopes: ['event:read'],
        events: ['issue'],
        isInternal: true,
        name: 'pd-issue-event-instant',
        organization: 'acme',
        webhookUrl: endpoint(),
      },
      response: { status: 201, body: { slug: 'pd-1' } },
    }),
    {
      name: 'secret',
      method: 'GET',
      path: '/api/0/sentry-apps/pd-1/',
      headers: sentryHeaders,
      response: { body: { clientSecret: 'sentry-client-secret' } },
    },
  ],
  deactivate: () => [
    remove({
      method: 'PUT',
      path: '/api/0/sentry-apps/pd-1/',
      headers: sentryHeaders,
      body: { events: null, isAlertable: false, webhookUrl: null },
      response: { body: {} },
    }),
  ],
  secret: () => 'sentry-client-secret',
  sends: issueCreated,
  emits: (n, { body }) => ({ summary: `issue #117082024${n} created`, event: JSON.parse(body) }),
  responses: { status: 200 },
  wrong: (to) => ({ ...issueCreated({ ...to, secret: 'guessed' }, 3), status: 404 }),
};
