import type { HookScenario } from '../scenario.ts';
import { githubEvent } from '../senders/github.ts';
import { AGENT, bodyOf, REGISTER, register, remove, textOf } from './common.ts';

export const github = (
  [
    { name: 'new-issue', event: 'issues' },
    { name: 'new-star', event: 'star' },
    { name: 'new-label', event: 'label' },
  ] as const
).map(({ name, event }): HookScenario => {
  const headers = { authorization: `token github-${name}`, ...AGENT };
  const summaries: Record<string, (n: number) => string> = {
    'new-issue': (n) => `#${n} Found a bug ${n} opened by octocat`,
    'new-star': () => `octocat starred acme/${name}`,
    'new-label': () => 'Hello-World created by octocat',
  };
  return {
    component: `github/sources/${name}/${name}.js`,
    host: 'api.github.com',
    account: { prop: 'github', app: 'github', fields: { oauth_access_token: `github-${name}` } },
    props: () => ({ repoFullName: `acme/${name}` }),
    activate: (endpoint) => [
      register({
        method: 'POST',
        path: `/repos/acme/${name}/hooks`,
        headers,
        body: {
          name: 'web',
          config: { url: endpoint(), content_type: 'json', secret: /^0\.\d+$/ },
          events: [event],
        },
        response: { status: 201, body: { id: 99 } },
      }),
    ],
    deactivate: () => [
      remove({
        method: 'DELETE',
        path: `/repos/acme/${name}/hooks/99`,
        headers,
        response: { status: 204 },
      }),
    ],
    secret: (callOf) => {
      const config: unknown = bodyOf(callOf(REGISTER))['config'];
      return textOf(Reflect.get(Object(config), 'secret'));
    },
    greets: (to) => githubEvent(to, 'ping', 0),
    sends: (to, n) => githubEvent(to, event, n),
    emits: (n, { body }) => ({ summary: summaries[name]?.(n) ?? '', event: JSON.parse(body) }),
  };
});
