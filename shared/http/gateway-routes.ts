/**
 * The routes of API Gateway: two route keys per path family. The router in each group does the rest, because `$errors`
 * and trailing slashes do not fit route keys. `$default` answers 404 and 405 in the service's error format.
 */
export const groups = [
  'components',
  'sources',
  'workflows',
  'subscriptions',
  'webhooks',
  'accounts',
  'users',
  'console',
] as const;
export type InvokedGroup = (typeof groups)[number];
/** Live streams have a function with a URL of its own; the API answers their addresses as long polls. */
export type Group = InvokedGroup | 'live';

const family = (path: string) => [`ANY /v1/${path}`, `ANY /v1/${path}/{proxy+}`];

/** Pipedream's API has the streams outside of `/v1`. */
const liveFamily = (emitter: string) =>
  ['/v1', ''].flatMap((base) => [
    `ANY ${base}/${emitter}/sse`,
    // A trailing slash.
    `ANY ${base}/${emitter}/sse/{proxy+}`,
  ]);

export const gatewayRoutes: Record<Group, readonly string[]> = {
  components: [...family('components'), ...family('users/me/components')],
  sources: [...family('sources'), ...family('users/me/sources'), 'ANY /v1/users/me/events/{proxy+}'],
  workflows: [...family('workflows'), ...family('users/me/workflows')],
  subscriptions: [
    ...family('subscriptions'),
    ...family('auto_subscriptions'),
    ...family('users/me/subscriptions'),
    ...family('users/me/auto_subscriptions'),
  ],
  webhooks: [...family('webhooks'), ...family('users/me/webhooks'), 'ANY /v1/users/me/deliveries/{proxy+}'],
  accounts: [
    ...family('accounts'),
    ...family('users/me/accounts'),
    ...family('apps'),
    ...family('session'),
    'GET /connect/{proxy+}',
    'POST /connect/{proxy+}',
  ],
  users: [...family('users/me'), ...family('keys'), 'GET /openapi.json', 'GET /docs', '$default'],
  live: [...liveFamily('sources/{id}'), ...liveFamily('workflows/{workflow_id}')],
  console: ['GET', 'HEAD'].flatMap((method) =>
    ['/', ...['console', 'guide', 'portal'].flatMap((name) => [`/${name}`, `/${name}/{proxy+}`])].map(
      (path) => `${method} ${path}`,
    ),
  ),
};
