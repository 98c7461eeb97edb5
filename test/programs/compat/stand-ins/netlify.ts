import { bearer, type HookScenario } from '../scenario.ts';
import { deployBuilding } from '../senders/netlify.ts';
import { REGISTER, bodyOf, register, remove, textOf } from './common.ts';

export const netlify = [
  {
    name: 'new-deploy-start',
    event: 'deploy_building',
    summary: (n: number) => `Deploy started for commit 3a1b2c3d${n}`,
  },
].map(({ name, event, summary }): HookScenario => {
  const headers = bearer(`netlify-${name}`);
  return {
    component: `netlify/sources/${name}/${name}.js`,
    host: 'api.netlify.com',
    account: { prop: 'netlify', app: 'netlify', fields: { oauth_access_token: `netlify-${name}` } },
    props: () => ({ siteId: `site-${name}` }),
    customResponse: true,
    activate: (endpoint) => [
      register({
        method: 'POST',
        path: '/api/v1/hooks',
        query: { site_id: `site-${name}` },
        headers,
        body: { type: 'url', event, data: { url: endpoint(), signature_secret: /^[0-9a-f]{64}$/ } },
        response: { status: 201, body: { id: `hook-${name}` } },
      }),
    ],
    deactivate: () => [
      remove({ method: 'DELETE', path: `/api/v1/hooks/hook-${name}`, headers, response: { status: 204 } }),
    ],
    secret: (callOf) => textOf(Reflect.get(Object(bodyOf(callOf(REGISTER))['data']), 'signature_secret')),
    sends: deployBuilding,
    emits: (n, { body }) => ({ summary: summary(n), event: JSON.parse(body) }),
    responses: { status: 200 },
    wrong: (to) => ({ ...deployBuilding(to, 1), body: deployBuilding(to, 2).body, status: 404 }),
  };
});
