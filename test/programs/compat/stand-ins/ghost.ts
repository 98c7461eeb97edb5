import { createHash, createHmac } from 'node:crypto';
import type { HookScenario } from '../scenario.ts';
import { type Expected, PLAIN } from '../stand-in.ts';
import { added } from '../senders/ghost.ts';
import { register, remove, textOf, title } from './common.ts';

/** A token signed with the secret less than five minutes ago. */
const ghostToken =
  (id: string, secret: string): Expected =>
  (value) => {
    const [head = '', body = '', signature = ''] = textOf(value)
      .replace(/^Ghost /, '')
      .split('.');
    const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString()) as { kid: string };
    const expected = createHmac('sha256', Buffer.from(secret, 'hex')).update(`${head}.${body}`).digest('base64url');
    return kid === id && signature === expected;
  };

export const ghost = (
  [
    { name: 'new-tag', event: 'tag.added', member: 'tag' },
    { name: 'member-created', event: 'member.added', member: 'member' },
  ] as const
).map(({ name, event, member }): HookScenario => {
  const secret = createHash('sha256').update(name).digest('hex');
  const headers = { authorization: ghostToken(`id-${member}`, secret) };
  return {
    component: `ghost_admin/sources/${name}/${name}.js`,
    host: PLAIN,
    account: {
      prop: 'ghost',
      app: 'ghost_org_admin_api',
      fields: { admin_api_url: ({ plain }) => `${plain}/${name}/`, admin_api_key: `id-${member}:${secret}` },
    },
    activate: (endpoint) => [
      register({
        method: 'POST',
        path: `/${name}/ghost/api/v3/admin/webhooks`,
        headers,
        body: { webhooks: [{ event, target_url: endpoint() }] },
        response: { status: 201, body: { webhooks: [{ id: `w-${member}` }] } },
      }),
    ],
    deactivate: () => [
      remove({
        method: 'DELETE',
        path: `/${name}/ghost/api/v3/admin/webhooks/w-${member}`,
        headers,
        response: { status: 204 },
      }),
    ],
    sends: (to, n) => added(to, member, title(n)),
    emits: (n, { body }) => ({ summary: title(n), event: JSON.parse(body) }),
  };
});
