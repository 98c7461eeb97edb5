import { bearer, type HookScenario } from '../scenario.ts';
import { AGENT, REGISTER, bodyOf, register, remove, textOf, title } from './common.ts';

/** The subject of each GitLab webhook. */
export const gitlab = [
  {
    name: 'new-issue',
    flag: 'issues_events',
    body: (n: number) => ({
      user: { name: 'Ann', username: 'ann' },
      object_attributes: { id: n, iid: n, title: title(n), created_at: '2026-01-01T00:00:00Z' },
      changes: { updated_at: { current: '2026-01-01' } },
    }),
    summary: (n: number) => `New issue by Ann (ann): #${n} ${title(n)}`,
  },
  {
    name: 'new-branch',
    flag: 'push_events',
    body: (n: number) => ({ before: '0'.repeat(40), ref: `refs/heads/${title(n)}` }),
    summary: (n: number) => `New Branch: refs/heads/${title(n)}`,
  },
  {
    name: 'new-merge-request',
    flag: 'merge_requests_events',
    body: (n: number) => ({
      user: { name: 'Ann', username: 'ann' },
      object_attributes: { id: n, action: 'open', title: title(n), created_at: '2026-01-01T00:00:00Z' },
    }),
    summary: (n: number) => `New Merge Request: "${title(n)}" by Ann (ann)`,
  },
].map(({ name, flag, body, summary }, at): HookScenario => {
  const projectId = 40 + at;
  const headers = { ...bearer(`gitlab-${name}`), ...AGENT };
  return {
    component: `gitlab/sources/${name}/${name}.js`,
    host: 'gitlab.com',
    account: { prop: 'gitlab', app: 'gitlab', fields: { oauth_access_token: `gitlab-${name}` } },
    props: () => ({ projectId }),
    customResponse: true,
    activate: (endpoint) => [
      register({
        method: 'POST',
        path: `/api/v4/projects/${projectId}/hooks`,
        headers,
        body: { [flag]: true, url: endpoint(), token: /^[0-9a-f-]{36}$/ },
        response: { status: 201, body: { id: 7_000 + at } },
      }),
    ],
    deactivate: () => [
      remove({
        method: 'DELETE',
        path: `/api/v4/projects/${projectId}/hooks/${7_000 + at}`,
        headers,
        response: { status: 204 },
      }),
    ],
    delivery: (n, { call }) => ({
      headers: { 'x-gitlab-token': textOf(bodyOf(call(REGISTER))['token']) },
      body: body(n),
    }),
    emits: (n) => ({ summary: summary(n), event: body(n) }),
    responses: { status: 200 },
    wrong: () => ({ headers: { 'x-gitlab-token': 'guessed' }, body: body(3), status: 404 }),
  };
});
