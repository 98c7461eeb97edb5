import { bearer, type HookScenario } from '../scenario.ts';
import { repositoryCreated } from '../senders/bitbucket.ts';
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
  secret: () => 'bb-uuid',
  sends: (to, n) => repositoryCreated(to, title(n)),
  emits: (n, { body }) => ({
    summary: `New repository created: acme/${title(n)}`,
    event: { body: JSON.parse(body) },
  }),
  responses: { status: 200 },
  wrong: (to) => ({ ...repositoryCreated({ ...to, secret: 'another' }, title(2)), status: 404 }),
};
