import { bearer, type HookScenario } from '../scenario.ts';
import { AGENT, register, remove, title } from './common.ts';

const bitbucketHeaders = { ...bearer('bitbucket-token'), ...AGENT };
export const bitbucket: HookScenario = {
  component: 'bitbucket/sources/new-repository/new-repository.js',
  host: 'api.bitbucket.org',
  account: { prop: 'bitbucket', app: 'bitbucket', fields: { oauth_access_token: 'bitbucket-token' } },
  props: () => ({ workspaceId: 'acme' }),
  customResponse: true,
  activate: (endpoint) => [
    register({
      method: 'POST',
      path: '/2.0/workspaces/acme/hooks',
      headers: bitbucketHeaders,
      body: { url: endpoint(), active: true, events: ['repo:created'] },
      response: { status: 201, body: { uuid: '{bb-uuid}' } },
    }),
  ],
  deactivate: () => [
    remove({
      method: 'DELETE',
      path: '/2.0/workspaces/acme/hooks/{bb-uuid}',
      headers: bitbucketHeaders,
      response: { status: 204 },
    }),
  ],
  delivery: (n) => ({
    headers: { 'x-hook-uuid': 'bb-uuid', 'x-request-uuid': `q${n}`, 'x-event-time': '2026-01-01T00:00:00Z' },
    body: { repository: { full_name: title(n) } },
  }),
  emits: (n) => ({
    summary: `New repository created: ${title(n)}`,
    event: { body: { repository: { full_name: title(n) } } },
  }),
  responses: { status: 200 },
  wrong: () => ({ headers: { 'x-hook-uuid': 'another' }, body: { repository: {} }, status: 404 }),
};
