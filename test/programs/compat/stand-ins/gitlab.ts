import { bearer, type HookScenario } from '../scenario.ts';
import { gitlabEvent } from '../senders/gitlab.ts';
import { AGENT, REGISTER, bodyOf, register, remove, textOf } from './common.ts';

export const gitlab = (
  [
    {
      name: 'new-issue',
      flag: 'issues_events',
      event: 'Issue Hook',
      summary: () => '',
      emitsNothing:
        'GitLab gives `changes.updated_at` of a new issue a `previous`, which the component takes for an old issue',
    },
    {
      name: 'new-branch',
      flag: 'push_events',
      event: 'Push Hook',
      summary: (n: number) => `New Branch: refs/heads/branch-${n}`,
    },
    {
      name: 'new-merge-request',
      flag: 'merge_requests_events',
      event: 'Merge Request Hook',
      summary: (n: number) => `New Merge Request: "MS-Viewport ${n}" by Administrator (root)`,
    },
  ] as const
).map(({ name, flag, event, summary, ...more }, at): HookScenario => {
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
    secret: (callOf) => textOf(bodyOf(callOf(REGISTER))['token']),
    sends: (to, n) => gitlabEvent(to, event, n),
    emits: (n, { body }) => ({ summary: summary(n), event: JSON.parse(body) }),
    responses: { status: 200 },
    wrong: (to) => ({ ...gitlabEvent({ ...to, secret: 'guessed' }, event, 3), status: 404 }),
    ...more,
  };
});
