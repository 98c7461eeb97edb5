import { createHash, createHmac } from 'node:crypto';
import { bearer, type HookScenario, type Registered } from '../scenario.ts';
import { REGISTER, bodyOf, register, remove, textOf, title } from './common.ts';

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

export const netlify = [
  {
    name: 'new-deploy-start',
    event: 'deploy_building',
    summary: (n: number) => `Deploy started for commit ${title(n)}`,
  },
].map(({ name, event, summary }): HookScenario => {
  const headers = bearer(`netlify-${name}`);
  const body = (n: number) => ({
    id: `d${n}`,
    commit_ref: title(n),
    form_name: title(n),
    created_at: '2026-01-01T00:00:00Z',
  });
  const signed = (n: number, secret: string) => {
    const sha256 = createHash('sha256')
      .update(JSON.stringify(body(n)))
      .digest('hex');
    const unsigned = `${base64url({ typ: 'JWT', alg: 'HS256' })}.${base64url({ iss: 'netlify', sha256 })}`;
    return `${unsigned}.${createHmac('sha256', secret).update(unsigned).digest('base64url')}`;
  };
  const secretOf = ({ call }: Registered) =>
    textOf((bodyOf(call(REGISTER))['data'] as Record<string, unknown>)['signature_secret']);
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
    delivery: (n, known) => ({
      headers: { 'x-webhook-signature': signed(n, secretOf(known)) },
      body: body(n),
    }),
    emits: (n) => ({ summary: summary(n), event: body(n) }),
    responses: { status: 200 },
    wrong: (known) => ({
      headers: { 'x-webhook-signature': signed(1, secretOf(known)) },
      body: body(2),
      status: 404,
    }),
  };
});
