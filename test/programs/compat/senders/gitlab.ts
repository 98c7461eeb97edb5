import { JSON_TYPE, type Receiver, type SentRequest } from '../sent-request.ts';

const user = { id: 1, name: 'Administrator', username: 'root' };
const project = {
  id: 1,
  name: 'Gitlab Test',
  path_with_namespace: 'gitlabhq/gitlab-test',
  default_branch: 'master',
};

/** https://docs.gitlab.com/user/project/integrations/webhook_events/ */
const PAYLOADS = {
  'Issue Hook': (n: number) => ({
    object_kind: 'issue',
    event_type: 'issue',
    user,
    project,
    object_attributes: {
      id: 300 + n,
      iid: n,
      title: `New API ${n}`,
      created_at: '2013-12-03T17:15:43Z',
      action: 'open',
    },
    changes: {
      updated_by_id: { previous: null, current: 1 },
      updated_at: { previous: '2017-09-15 16:50:55 UTC', current: '2017-09-15 16:52:00 UTC' },
    },
  }),
  'Push Hook': (n: number) => ({
    object_kind: 'push',
    event_name: 'push',
    before: '0'.repeat(40),
    after: 'da1560886d4f094c3e6c9ef40349f7d38b5d27d7',
    ref: `refs/heads/branch-${n}`,
    user_username: 'root',
    project,
    commits: [],
    total_commits_count: 0,
  }),
  'Merge Request Hook': (n: number) => ({
    object_kind: 'merge_request',
    event_type: 'merge_request',
    user,
    project,
    object_attributes: {
      id: 90 + n,
      iid: n,
      title: `MS-Viewport ${n}`,
      created_at: '2013-12-03T17:23:34Z',
      action: 'open',
    },
    changes: {},
  }),
};

/** https://docs.gitlab.com/user/project/integrations/webhooks/ */
export const gitlabEvent = ({ address, secret }: Receiver, event: keyof typeof PAYLOADS, n: number): SentRequest => ({
  url: address,
  headers: {
    ...JSON_TYPE,
    'User-Agent': 'GitLab/17.2.0-pre',
    'Idempotency-Key': `f5e57b5a-0d8b-4f2a-9a39-00000000000${n}`,
    'X-Gitlab-Event': event,
    'X-Gitlab-Webhook-UUID': '02affd2d-2cba-4033-917d-ec22d5dc4b38',
    'X-Gitlab-Instance': 'https://gitlab.com',
    'X-Gitlab-Event-UUID': `13792a34-cac6-4fda-95a8-c58e00a3954${n}`,
    'X-Gitlab-Token': secret,
  },
  body: JSON.stringify(PAYLOADS[event](n)),
});
