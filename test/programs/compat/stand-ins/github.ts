import type { HookScenario } from '../scenario.ts';
import { AGENT, register, remove, title } from './common.ts';

export const github = [
  { name: 'new-issue', event: 'issues', action: 'opened' },
  { name: 'new-star', event: 'star', action: 'created' },
  { name: 'new-label', event: 'label', action: 'created' },
].map(({ name, event, action }): HookScenario => {
  const headers = { authorization: `token github-${name}`, ...AGENT };
  const body = (n: number) => ({
    action,
    issue: { number: n, title: title(n) },
    repository: { name: title(n) },
    sender: { login: title(n) },
  });
  const summaries: Record<string, (n: number) => string> = {
    'new-issue': (n) => `#${n} ${title(n)} opened by ${title(n)}`,
    'new-star': (n) => `${title(n)} starred acme/${name}`,
    'new-label': (n) => `${title(n)} created by ${title(n)}`,
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
    delivery: (n) => ({ headers: { 'x-github-event': event }, body: body(n) }),
    emits: (n) => ({ summary: summaries[name]?.(n) ?? '', event: body(n) }),
  };
});
