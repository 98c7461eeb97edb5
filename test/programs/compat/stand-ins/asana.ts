import { bearer, type HookScenario } from '../scenario.ts';
import { handshake, projectAdded } from '../senders/asana.ts';
import { TITLES, register, remove, title } from './common.ts';

const asanaHeaders = { ...bearer('asana-token'), accept: 'application/json' };
export const asana: HookScenario = {
  component: 'asana/sources/new-project/new-project.js',
  host: 'app.asana.com',
  account: {
    prop: 'asana',
    app: 'asana',
    fields: { oauth_access_token: 'asana-token', oauth_refresh_token: 'asana-refresh' },
  },
  props: () => ({ workspaceId: 'w1' }),
  customResponse: true,
  // The component registers while it gets its authorisation, and then asks again with the result as its authorisation.
  activate: (endpoint) => [
    register({
      method: 'POST',
      path: '/api/1.0/webhooks',
      headers: { accept: 'application/json' },
      body: { data: { resource: 'w1', target: endpoint() } },
      response: { status: 201, body: { data: { gid: 'as-hook' } } },
    }),
    {
      name: 'register again',
      method: 'POST',
      path: '/api/1.0/webhooks',
      body: { body: { data: { resource: 'w1', target: endpoint() } } },
      response: { status: 403 },
      isOptional: true,
    },
  ],
  deactivate: () => [
    remove({
      method: 'DELETE',
      path: '/api/1.0/webhooks/as-hook',
      headers: asanaHeaders,
      response: { body: {} },
    }),
  ],
  lookups: TITLES.map((found) => ({
    name: `look ${found} up`,
    method: 'GET',
    path: `/api/1.0/projects/${found}`,
    headers: asanaHeaders,
    response: { body: { data: { gid: found, name: found } } },
  })),
  secret: () => 'b537207f20cbfa02357cf448134da559e8bd39d61597dcd5631b8012eae53e81',
  greets: handshake,
  sends: (to, n) => projectAdded(to, title(n)),
  emits: (n) => ({ summary: title(n), event: { gid: title(n) } }),
  responses: { status: 200 },
};
