import { createHmac } from 'node:crypto';
import { bearer, type HookScenario } from '../scenario.ts';
import { AGENT, register, remove } from './common.ts';

const sentryHeaders = { ...bearer('sentry-token'), ...AGENT };
const sentryBody = (n: number) => ({ action: 'created', data: { issue: { id: n } } });
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
  delivery: (n) => ({
    headers: {
      'sentry-hook-resource': 'issue',
      'request-id': `r${n}`,
      'sentry-hook-signature': createHmac('sha256', 'sentry-client-secret')
        .update(JSON.stringify(sentryBody(n)))
        .digest('hex'),
    },
    body: sentryBody(n),
  }),
  emits: (n) => ({ summary: `issue #${n} created`, event: sentryBody(n) }),
  responses: { status: 200 },
  wrong: () => ({ headers: { 'sentry-hook-signature': 'f'.repeat(64) }, body: sentryBody(3), status: 404 }),
};
