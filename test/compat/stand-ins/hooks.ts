import { createHash, createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { bearer, type HookScenario, type Registered } from '../scenario.ts';
import { type Call, type Expected, PLAIN, type Rule } from '../stand-in.ts';

const AGENT = { 'user-agent': '@PipedreamHQ/pipedream v0.1' };
const REGISTER = 'register';
const register = (more: Omit<Rule, 'name'>): Rule => ({ name: REGISTER, ...more });
const remove = (more: Omit<Rule, 'name'>): Rule => ({ name: 'remove', ...more });
const bodyOf = (call: Call) => call.body as Record<string, unknown>;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const titles = ['', 'First', 'Second'];
const title = (n: number) => titles[n] ?? '';
const hmac = (algorithm: string, key: string, text: string, encoding: 'hex' | 'base64') =>
  createHmac(algorithm, key).update(text).digest(encoding);
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** What each webhook of GitLab is about. */
const gitlab = [
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
        answer: { status: 201, body: { id: 7_000 + at } },
      }),
    ],
    deactivate: () => [
      remove({
        method: 'DELETE',
        path: `/api/v4/projects/${projectId}/hooks/${7_000 + at}`,
        headers,
        answer: { status: 204 },
      }),
    ],
    delivery: (n, { call }) => ({
      headers: { 'x-gitlab-token': textOf(bodyOf(call(REGISTER))['token']) },
      body: body(n),
    }),
    emits: (n) => ({ summary: summary(n), event: body(n) }),
    answers: { status: 200 },
    wrong: () => ({ headers: { 'x-gitlab-token': 'guessed' }, body: body(3), status: 404 }),
  };
});

const github = [
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
        answer: { status: 201, body: { id: 99 } },
      }),
    ],
    deactivate: () => [
      remove({
        method: 'DELETE',
        path: `/repos/acme/${name}/hooks/99`,
        headers,
        answer: { status: 204 },
      }),
    ],
    delivery: (n) => ({ headers: { 'x-github-event': event }, body: body(n) }),
    emits: (n) => ({ summary: summaries[name]?.(n) ?? '', event: body(n) }),
  };
});

const telegram = [
  { name: 'message-updates', updates: ['message', 'edited_message'], member: 'message' },
  { name: 'channel-updates', updates: ['channel_post', 'edited_channel_post'], member: 'channel_post' },
  { name: 'new-updates', updates: ['poll'], member: 'message' },
].map(({ name, updates, member }, at): HookScenario => {
  const token = `11${at}:telegram-${name}`;
  const body = (n: number) => ({
    update_id: n,
    [member]: { text: title(n), chat: { title: 'Chat' }, from: { first_name: 'Ann', last_name: title(n) } },
  });
  return {
    component: `telegram/sources/${name}/${name}.js`,
    host: 'api.telegram.org',
    account: { prop: 'telegram', app: 'telegram_bot_api', fields: { token } },
    ...(name === 'new-updates' ? { props: () => ({ updateTypes: updates }) } : {}),
    customResponse: true,
    activate: (endpoint) => [
      register({
        method: 'POST',
        path: `/bot${token}/setWebhook`,
        headers: { 'content-type': /^application\/json/ },
        body: { url: endpoint(`/${token}`), allowed_updates: updates },
        answer: { body: { ok: true, result: true } },
      }),
    ],
    deactivate: () => [
      remove({
        method: 'GET',
        path: `/bot${token}/deleteWebhook`,
        answer: { body: { ok: true, result: true } },
      }),
    ],
    delivery: (n) => ({ path: `/${token}`, body: body(n) }),
    emits: (n) => ({
      summary:
        member === 'channel_post'
          ? `Chat - ${title(n)}`
          : name === 'new-updates'
            ? `Update from Ann ${title(n)}`
            : title(n),
      event: body(n),
    }),
    answers: { status: 200 },
    // It answers nothing to a path that it did not choose; the endpoint then says its own yes.
    wrong: () => ({ path: '/another-token', body: body(3), status: 200 }),
  };
});

const netlify = [
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
        answer: { status: 201, body: { id: `hook-${name}` } },
      }),
    ],
    deactivate: () => [
      remove({ method: 'DELETE', path: `/api/v1/hooks/hook-${name}`, headers, answer: { status: 204 } }),
    ],
    delivery: (n, known) => ({
      headers: { 'x-webhook-signature': signed(n, secretOf(known)) },
      body: body(n),
    }),
    emits: (n) => ({ summary: summary(n), event: body(n) }),
    answers: { status: 200 },
    wrong: (known) => ({
      headers: { 'x-webhook-signature': signed(1, secretOf(known)) },
      body: body(2),
      status: 404,
    }),
  };
});

const calendly = ['created', 'canceled'].map((what): HookScenario => {
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
        answer: { status: 201, body: { id: 812 } },
      }),
    ],
    deactivate: () => [remove({ method: 'DELETE', path: '/api/v1/hooks/812', headers, answer: {} })],
    delivery: (n) => ({ headers: { 'x-calendly-hook-id': '812' }, body: body(n) }),
    emits: (n) => ({ summary: title(n), event: body(n) }),
    answers: { status: 200 },
    wrong: () => ({ headers: { 'x-calendly-hook-id': '813' }, body: body(3), status: 404 }),
  };
});

/** A token that whoever knows the secret made less than five minutes ago. */
const ghostToken =
  (id: string, secret: string): Expected =>
  (value) => {
    const [head = '', body = '', signature = ''] = textOf(value)
      .replace(/^Ghost /, '')
      .split('.');
    const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString()) as { kid: string };
    const expected = createHmac('sha256', Buffer.from(secret, 'hex'))
      .update(`${head}.${body}`)
      .digest('base64url');
    return kid === id && signature === expected;
  };

const ghost = [
  { name: 'new-tag', event: 'tag.added', member: 'tag' },
  { name: 'member-created', event: 'member.added', member: 'member' },
].map(({ name, event, member }): HookScenario => {
  const secret = createHash('sha256').update(name).digest('hex');
  const headers = { authorization: ghostToken(`id-${member}`, secret) };
  const body = (n: number) => ({ [member]: { current: { id: `g${n}`, name: title(n) } } });
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
        answer: { status: 201, body: { webhooks: [{ id: `w-${member}` }] } },
      }),
    ],
    deactivate: () => [
      remove({
        method: 'DELETE',
        path: `/${name}/ghost/api/v3/admin/webhooks/w-${member}`,
        headers,
        answer: { status: 204 },
      }),
    ],
    delivery: (n) => ({ body: body(n) }),
    emits: (n) => ({ summary: title(n), event: body(n) }),
  };
});

const typeformRules = { path: /^\/forms\/f1\/webhooks\/[0-9a-f-]{36}$/, headers: bearer('typeform-token') };
const typeform: HookScenario = {
  component: 'typeform/sources/new-submission/new-submission.js',
  host: 'api.typeform.com',
  account: { prop: 'typeform', app: 'typeform', fields: { oauth_access_token: 'typeform-token' } },
  props: () => ({ formId: 'f1' }),
  activate: (endpoint) => [
    register({
      method: 'PUT',
      ...typeformRules,
      body: { url: endpoint(), enabled: true, verify_ssl: true, secret: /^0\.\d+$/ },
      answer: { body: {} },
    }),
  ],
  deactivate: ({ call }) => [
    remove({
      method: 'DELETE',
      headers: typeformRules.headers,
      path: call(REGISTER).path,
      answer: { status: 204 },
    }),
  ],
  delivery: (n) => ({ body: { event_id: `t${n}`, form_response: title(n) } }),
  emits: (n) => ({ event: { event_id: `t${n}`, form_response: title(n) } }),
};

const jotform: HookScenario = {
  component: 'jotform/sources/new-submission/new-submission.js',
  host: 'api.jotform.com',
  account: { prop: 'jotform', app: 'jotform', fields: { api_key: 'jotform-key' } },
  props: () => ({ formId: 'j1' }),
  activate: (endpoint) => [
    register({
      method: 'POST',
      path: '/form/j1/webhooks',
      query: { webhookURL: endpoint('/') },
      headers: { apikey: 'jotform-key' },
      answer: { body: { responseCode: 200 } },
    }),
  ],
  deactivate: ({ endpoint }) => [
    {
      name: 'list',
      method: 'GET',
      path: '/form/j1/webhooks',
      headers: { apikey: 'jotform-key' },
      answer: { body: { content: { 0: 'http://other.test/', 1: `${endpoint}/` } } },
    },
    remove({ method: 'DELETE', path: '/form/j1/webhooks/1', headers: { apikey: 'jotform-key' }, answer: {} }),
  ],
  delivery: (n) => ({ body: { submissionID: `s${n}`, rawRequest: JSON.stringify({ q: title(n) }) } }),
  emits: (n) => ({
    summary: JSON.stringify({ q: title(n) }),
    event: { submissionID: `s${n}`, formData: { q: title(n) } },
  }),
};

/** A signer that the account names signs each request to the upstream. */
const signer: Rule = {
  name: 'sign',
  method: 'POST',
  path: '/trello-signer',
  body: { token: { key: 'trello-key', secret: 'trello-secret' }, requestData: {} },
  answer: { body: 'OAuth signed-for-trello' },
};
const trelloHeaders = { authorization: 'OAuth signed-for-trello' };
const trello = [
  {
    name: 'new-board',
    props: undefined,
    model: 'me-1',
    type: 'createBoard',
    kind: 'board',
    lookup: '/1/boards/',
  },
  {
    name: 'new-label',
    props: { boardId: 'b7' },
    model: 'b7',
    type: 'createLabel',
    kind: 'label',
    lookup: '/1/labels/',
  },
].map(({ name, props, model, type, kind, lookup }): HookScenario => ({
  component: `trello/sources/${name}/${name}.js`,
  host: 'api.trello.com',
  account: {
    prop: 'trello',
    app: 'trello',
    fields: {
      oauth_access_token: 'trello-key',
      oauth_refresh_token: 'trello-secret',
      oauth_signer_uri: ({ plain }) => `${plain}/trello-signer`,
    },
  },
  ...(props ? { props: () => props } : {}),
  activate: (endpoint) => [
    ...(props
      ? []
      : [
          {
            name: 'me',
            method: 'GET' as const,
            path: '/1/members/me',
            headers: trelloHeaders,
            answer: { body: { id: model } },
          },
        ]),
    register({
      method: 'POST',
      path: '/1/webhooks/',
      query: { idModel: model, description: 'Pipedream Source ID', callbackURL: endpoint() },
      headers: trelloHeaders,
      answer: { body: { id: `hook-${kind}` } },
    }),
  ],
  deactivate: () => [
    remove({
      method: 'DELETE',
      path: `/1/webhooks/hook-${kind}`,
      headers: trelloHeaders,
      answer: { body: {} },
    }),
  ],
  lookups: titles.slice(1).map((found) => ({
    name: `look ${found} up`,
    method: 'GET',
    path: `${lookup}${found}`,
    headers: trelloHeaders,
    answer: { body: { id: found, name: found, color: 'red', idBoard: 'b7' } },
  })),
  delivery: (n) => ({ body: { action: { type, data: { [kind]: { id: title(n) } } } } }),
  emits: (n) => ({
    summary: kind === 'label' ? `red - ${title(n)}` : title(n),
    event: { id: title(n), idBoard: 'b7' },
  }),
}));

const sentryHeaders = { ...bearer('sentry-token'), ...AGENT };
const sentryBody = (n: number) => ({ action: 'created', data: { issue: { id: n } } });
const sentry: HookScenario = {
  component: 'sentry/sources/issue-event/issue-event.js',
  host: 'sentry.io',
  account: { prop: 'sentry', app: 'sentry', fields: { auth_token: 'sentry-token' } },
  props: () => ({ organizationSlug: 'acme' }),
  customResponse: true,
  activate: (endpoint) => [
    register({
      method: 'POST',
      path: '/api/0/sentry-apps/',
      headers: sentryHeaders,
      body: {
        scopes: ['event:read'],
        events: ['issue'],
        isInternal: true,
        name: 'pd-issue-event-instant',
        organization: 'acme',
        webhookUrl: endpoint(),
      },
      answer: { status: 201, body: { slug: 'pd-1' } },
    }),
    {
      name: 'secret',
      method: 'GET',
      path: '/api/0/sentry-apps/pd-1/',
      headers: sentryHeaders,
      answer: { body: { clientSecret: 'sentry-client-secret' } },
    },
  ],
  deactivate: () => [
    remove({
      method: 'PUT',
      path: '/api/0/sentry-apps/pd-1/',
      headers: sentryHeaders,
      body: { events: null, isAlertable: false, webhookUrl: null },
      answer: { body: {} },
    }),
  ],
  delivery: (n) => ({
    headers: {
      'sentry-hook-resource': 'issue',
      'request-id': `r${n}`,
      'sentry-hook-signature': hmac('sha256', 'sentry-client-secret', JSON.stringify(sentryBody(n)), 'hex'),
    },
    body: sentryBody(n),
  }),
  emits: (n) => ({ summary: `issue #${n} created`, event: sentryBody(n) }),
  answers: { status: 200 },
  wrong: () => ({ headers: { 'sentry-hook-signature': 'f'.repeat(64) }, body: sentryBody(3), status: 404 }),
};

const sendgridKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const sendgridHeaders = { ...bearer('sendgrid-key'), ...AGENT };
const sendgridBody = (n: number) => [{ event: 'delivered', sg_event_id: `sg${n}`, email: title(n) }];
const sendgridSigned = (n: number) => ({
  'x-twilio-email-event-webhook-timestamp': '1600000000',
  'x-twilio-email-event-webhook-signature': sign(
    'sha256',
    Buffer.from(`1600000000${JSON.stringify(sendgridBody(n))}`),
    sendgridKeys.privateKey,
  ).toString('base64'),
});
const sendgridSettings = '/v3/user/webhooks/event/settings';
const sendgrid: HookScenario = {
  component: 'sendgrid/sources/events/events.js',
  host: 'api.sendgrid.com',
  account: { prop: 'sendgrid', app: 'sendgrid', fields: { api_key: 'sendgrid-key' } },
  props: () => ({ eventTypes: ['delivered', 'open'] }),
  customResponse: true,
  activate: (endpoint) => [
    {
      name: 'settings',
      method: 'GET',
      path: sendgridSettings,
      headers: sendgridHeaders,
      answer: { body: { enabled: false } },
    },
    register({
      method: 'PATCH',
      path: sendgridSettings,
      headers: sendgridHeaders,
      body: { enabled: true, url: endpoint(), delivered: true, open: true, click: false },
      answer: { body: {} },
    }),
    {
      name: 'sign',
      method: 'PATCH',
      path: `${sendgridSettings}/signed`,
      headers: sendgridHeaders,
      body: { enabled: true },
      answer: {
        body: {
          public_key: sendgridKeys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
        },
      },
    },
  ],
  deactivate: () => [
    remove({
      method: 'PATCH',
      path: sendgridSettings,
      headers: sendgridHeaders,
      body: { enabled: false, url: null, delivered: false },
      answer: { body: {} },
    }),
    {
      name: 'no longer sign',
      method: 'PATCH',
      path: `${sendgridSettings}/signed`,
      headers: sendgridHeaders,
      body: { enabled: false },
      answer: { body: {} },
    },
  ],
  delivery: (n) => ({ headers: sendgridSigned(n), body: sendgridBody(n) }),
  emits: (n) => ({ summary: 'New event: delivered', event: { sg_event_id: `sg${n}`, email: title(n) } }),
  answers: { status: 200 },
  wrong: () => ({ headers: sendgridSigned(1), body: sendgridBody(2), status: 400 }),
};

const bitbucketHeaders = { ...bearer('bitbucket-token'), ...AGENT };
const bitbucket: HookScenario = {
  component: 'bitbucket/sources/new-repository/new-repository.js',
  host: 'api.bitbucket.org',
  account: { prop: 'bitbucket', app: 'bitbucket', fields: { oauth_access_token: 'bitbucket-token' } },
  props: () => ({ workspaceId: 'acme' }),
  customResponse: true,
  activate: (endpoint) => [
    register({
      method: 'POST',
      path: '/2.0/workspaces/acme/hooks',
      headers: bitbucketHeaders,
      body: { url: endpoint(), active: true, events: ['repo:created'] },
      answer: { status: 201, body: { uuid: '{bb-uuid}' } },
    }),
  ],
  deactivate: () => [
    remove({
      method: 'DELETE',
      path: '/2.0/workspaces/acme/hooks/{bb-uuid}',
      headers: bitbucketHeaders,
      answer: { status: 204 },
    }),
  ],
  delivery: (n) => ({
    headers: { 'x-hook-uuid': 'bb-uuid', 'x-request-uuid': `q${n}`, 'x-event-time': '2026-01-01T00:00:00Z' },
    body: { repository: { full_name: title(n) } },
  }),
  emits: (n) => ({
    summary: `New repository created: ${title(n)}`,
    event: { body: { repository: { full_name: title(n) } } },
  }),
  answers: { status: 200 },
  wrong: () => ({ headers: { 'x-hook-uuid': 'another' }, body: { repository: {} }, status: 404 }),
};

const asanaHeaders = { ...bearer('asana-token'), accept: 'application/json' };
const asana: HookScenario = {
  component: 'asana/sources/new-project/new-project.js',
  host: 'app.asana.com',
  account: {
    prop: 'asana',
    app: 'asana',
    fields: { oauth_access_token: 'asana-token', oauth_refresh_token: 'asana-refresh' },
  },
  props: () => ({ workspaceId: 'w1' }),
  customResponse: true,
  // What its app calls getting an authorisation is the registration; then it asks again with the answer as its authorisation.
  activate: (endpoint) => [
    register({
      method: 'POST',
      path: '/api/1.0/webhooks',
      headers: { accept: 'application/json' },
      body: { data: { resource: 'w1', target: endpoint() } },
      answer: { status: 201, body: { data: { gid: 'as-hook' } } },
    }),
    {
      name: 'register again',
      method: 'POST',
      path: '/api/1.0/webhooks',
      body: { body: { data: { resource: 'w1', target: endpoint() } } },
      answer: { status: 403 },
      isOptional: true,
    },
  ],
  deactivate: () => [
    remove({
      method: 'DELETE',
      path: '/api/1.0/webhooks/as-hook',
      headers: asanaHeaders,
      answer: { body: {} },
    }),
  ],
  lookups: titles.slice(1).map((found) => ({
    name: `look ${found} up`,
    method: 'GET',
    path: `/api/1.0/projects/${found}`,
    headers: asanaHeaders,
    answer: { body: { data: { gid: found, name: found } } },
  })),
  delivery: (n) => ({
    headers: { 'x-hook-secret': 'handshake' },
    body: { events: [{ resource: { gid: title(n) } }] },
  }),
  emits: (n) => ({ summary: title(n), event: { gid: title(n) } }),
  answers: { status: 200 },
};

const formstack: HookScenario = {
  component: 'formstack/sources/new-form-submission/new-form-submission.js',
  host: 'www.formstack.com',
  account: {
    prop: 'formstack',
    app: 'formstack',
    fields: { oauth_access_token: 'formstack-token', oauth_refresh_token: 'formstack-handshake' },
  },
  props: () => ({ formId: '31' }),
  activate: (endpoint) => [
    register({
      method: 'POST',
      path: '/api/v2/form/31/webhook.json',
      query: { url: endpoint(), content_type: 'json', handshake_key: 'formstack-handshake' },
      headers: bearer('formstack-token'),
      answer: { body: { id: 'fs1' } },
    }),
  ],
  deactivate: () => [
    remove({
      method: 'DELETE',
      path: '/api/v2/webhook/fs1.json',
      headers: bearer('formstack-token'),
      answer: {},
    }),
  ],
  delivery: (n) => ({ body: { HandshakeKey: 'formstack-handshake', UniqueID: `u${n}`, name: title(n) } }),
  emits: (n) => ({ summary: `New Form Submission u${n}`, event: { UniqueID: `u${n}`, name: title(n) } }),
  wrong: () => ({ body: { HandshakeKey: 'guessed', UniqueID: 'u3' }, status: 200 }),
};

const supersaasAccount = { account: 'acme', api_key: 'supersaas-key' };
const supersaas: HookScenario = {
  component: 'supersaas/sources/changed-users.js',
  host: 'supersaas.com',
  account: { prop: 'supersaas', app: 'supersaas', fields: supersaasAccount },
  activate: (endpoint) => [
    register({
      method: 'POST',
      path: '/api/hooks',
      query: { ...supersaasAccount, event: 'M', parent_id: 'acme', target_url: endpoint() },
      answer: { status: 201, body: { id: 'ss1', parent_id: 'acme' } },
    }),
  ],
  deactivate: () => [
    remove({
      method: 'DELETE',
      path: '/api/hooks',
      query: { ...supersaasAccount, id: 'ss1', parent_id: 'acme' },
      answer: { body: {} },
    }),
  ],
  delivery: (n) => ({ body: { event: 'new', email: title(n), created_on: '2026-01-01T00:00:00Z' } }),
  emits: (n) => ({ summary: `New user (${title(n)})`, event: { body: { email: title(n) } } }),
};

const stripeSigned = (n: number, secret: string) => {
  const at = Math.floor(Date.now() / 1000);
  return `t=${at},v1=${hmac('sha256', secret, `${at}.${JSON.stringify(stripeBody(n))}`, 'hex')}`;
};
const stripeBody = (n: number) => ({
  id: `evt_${n}`,
  object: 'event',
  type: 'charge.succeeded',
  data: { object: { id: title(n) } },
});
const stripe: HookScenario = {
  component: 'stripe/sources/custom-webhook-events/custom-webhook-events.js',
  host: 'api.stripe.com',
  account: { prop: 'stripe', app: 'stripe', fields: { api_key: 'stripe-key' } },
  props: () => ({ enabledEvents: ['charge.succeeded', 'charge.failed'] }),
  customResponse: true,
  activate: (endpoint) => [
    register({
      method: 'POST',
      path: '/v1/webhook_endpoints',
      headers: { ...bearer('stripe-key'), 'stripe-version': '2020-03-02' },
      body: {
        url: endpoint(),
        'enabled_events[0]': 'charge.succeeded',
        'enabled_events[1]': 'charge.failed',
      },
      answer: { body: { id: 'we_1', object: 'webhook_endpoint', secret: 'whsec_stripe' } },
    }),
  ],
  deactivate: () => [
    remove({
      method: 'DELETE',
      path: '/v1/webhook_endpoints/we_1',
      headers: bearer('stripe-key'),
      answer: { body: { id: 'we_1', object: 'webhook_endpoint', deleted: true } },
    }),
  ],
  delivery: (n) => ({
    headers: { 'stripe-signature': stripeSigned(n, 'whsec_stripe') },
    body: stripeBody(n),
  }),
  emits: (n) => ({ event: stripeBody(n) }),
  answers: { status: 200 },
  wrong: () => ({
    headers: { 'stripe-signature': stripeSigned(3, 'whsec_guessed') },
    body: stripeBody(3),
    status: 400,
  }),
};

export const hookScenarios: readonly HookScenario[] = [
  typeform,
  jotform,
  ...gitlab,
  ...github,
  ...telegram,
  ...netlify,
  ...calendly,
  ...ghost,
  ...trello,
  sentry,
  sendgrid,
  bitbucket,
  asana,
  formstack,
  supersaas,
  stripe,
];

/** Rules of a second upstream that a component asks, at the address that its account names. */
export const besides: Readonly<Record<string, readonly Rule[]>> = {
  [trello[0]?.component ?? '']: [signer],
  [trello[1]?.component ?? '']: [signer],
};
