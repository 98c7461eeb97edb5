import type { HookScenario } from '../scenario.ts';
import { invitee } from '../senders/calendly.ts';
import { register, remove } from './common.ts';

export const calendly = ['created', 'canceled'].map((what): HookScenario => {
  const headers = { 'x-token': `calendly-${what}` };
  return {
    component: `calendly/sources/invitee-${what}/invitee-${what}.js`,
    host: 'calendly.com',
    account: { prop: 'calendly', app: 'calendly', fields: { api_key: `calendly-${what}` } },
    customResponse: true,
    activate: (endpoint) => [
      register({
        method: 'POST',
        path: '/api/v1/hooks',
        headers,
        body: { url: endpoint(), events: [`invitee.${what}`] },
        response: { status: 201, body: { id: 812 } },
      }),
    ],
    deactivate: () => [remove({ method: 'DELETE', path: '/api/v1/hooks/812', headers, response: {} })],
    secret: () => '812',
    sends: (to, n) => invitee(to, what, n),
    emits: (n, { body }) => ({ summary: `Interview ${n}`, event: JSON.parse(body) }),
    responses: { status: 200 },
    wrong: (to) => ({ ...invitee({ ...to, secret: '813' }, what, 3), status: 404 }),
  };
});
