import type { HookScenario } from '../scenario.ts';
import { userAdded } from '../senders/supersaas.ts';
import { register, remove } from './common.ts';

const supersaasAccount = { account: 'acme', api_key: 'supersaas-key' };
export const supersaas: HookScenario = {
  component: 'supersaas/sources/changed-users.js',
  host: 'supersaas.com',
  account: { prop: 'supersaas', app: 'supersaas', fields: supersaasAccount },
  activate: (endpoint) => [
    register({
      method: 'POST',
      path: '/api/hooks',
      query: { ...supersaasAccount, event: 'M', parent_id: 'acme', target_url: endpoint() },
      response: { status: 201, body: { id: 'ss1', parent_id: 'acme' } },
    }),
  ],
  deactivate: () => [
    remove({
      method: 'DELETE',
      path: '/api/hooks',
      query: { ...supersaasAccount, id: 'ss1', parent_id: 'acme' },
      response: { body: {} },
    }),
  ],
  sends: userAdded,
  emits: (n, { body }) => ({ summary: `New user (ann${n}@example.com)`, event: { body: JSON.parse(body) } }),
};
