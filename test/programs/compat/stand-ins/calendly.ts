import type { HookScenario } from '../scenario.ts';
import { register, remove, title } from './common.ts';

export const calendly = ['created', 'canceled'].map((what): HookScenario => {
  const headers = { 'x-token': `calendly-${what}` };
  const body = (n: number) => ({ payload: { event: { uuid: `e${n}` }, event_type: { name: title(n) } } });
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
    delivery: (n) => ({ headers: { 'x-calendly-hook-id': '812' }, body: body(n) }),
    emits: (n) => ({ summary: title(n), event: body(n) }),
    responses: { status: 200 },
    wrong: () => ({ headers: { 'x-calendly-hook-id': '813' }, body: body(3), status: 404 }),
  };
});
