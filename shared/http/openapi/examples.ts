/** Examples of responses in the OpenAPI document. */

const AT = 1_767_225_600;
const AT_MS = AT * 1_000;
const userId = 'u_0mvx3k2p9a1b2c3d4e5f6g7h';
const sourceId = 'dc_0mvx3k2p9a1b2c3d4e5f6g7h';
const componentId = 'sc_0mvx3k2p9a1b2c3d4e5f6g7h';
const webhookId = 'wh_0mvx3k2p9a1b2c3d4e5f6g7h';
const workflowId = 'p_0mvx3k2p9a1b2c3d4e5f6g7h';
const eventId = `${AT_MS}-0`;
const endpoint = 'https://ingress.tributary.dev/0123456789abcdef0123456789abcdef';
const liveUrl = `https://live.tributary.dev/v1/sources/${sourceId}/sse`;
const times = { created_at: AT, updated_at: AT };

const props = [
  { name: 'http', type: '$.interface.http' },
  { name: 'salutation', type: 'string', label: 'Salutation', default: 'Hello' },
  { name: 'github', type: 'app', app: 'github', authFields: ['oauth_access_token'] },
];

export const componentItem = {
  id: componentId,
  code_hash: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  name: 'Greeting',
  version: '0.0.1',
  configurable_props: props,
  ...times,
  key: 'greeting',
  description: null,
  component_url: null,
  path: 'component.mjs',
};
export const component = { ...componentItem, code: 'export default { name: "Greeting", … };' };
export const options = { options: ['small', { label: 'Large', value: 'l' }], context: { page: 2 } };

const listedSource = {
  id: sourceId,
  component_id: componentId,
  configured_props: { http: { endpoint_url: endpoint }, salutation: 'Ahoy' },
  active: true,
  endpoint: 'path',
  tags: ['team:sales'],
  ...times,
  name: 'greeting',
  name_slug: 'greeting',
  endpoint_url: endpoint,
  sse_url: liveUrl,
  waiting: 0,
  oldest_waiting_ms: null,
};
export const source = { ...listedSource, user_id: userId };
export const sourceItem = {
  ...listedSource,
  state: 'active',
  last_event_ms: AT_MS,
  last_error_ms: null,
};

export const workflow = {
  id: workflowId,
  name: 'Orders',
  target: 'https://workflows.tributary.dev/orders',
  ingest_url: `https://ingress.tributary.dev/workflows/${workflowId}`,
  created_at: AT,
};
export const account = {
  id: 'apn_0mvx3k2p9a1b2c3d4e5f6g7h',
  app: 'slack',
  name: 'Slack of the team',
  kind: 'fields',
  field_names: ['bot_token'],
  status: 'connected',
  status_reason: null,
  scopes: null,
  expires_at_ms: null,
  connected_at_ms: null,
  renewed_at_ms: null,
  created_at: AT,
  used_by: 2,
};
export const accountFieldValues = { oauth_access_token: 'ghp_example' };
export const connectAddress = {
  url: 'https://tributary.example.com/connect/0mvx3k2p9a1b2c3d4e5f6g7hX…',
  expires_at_ms: AT_MS,
  attempt_id: 'ca_0mvx3k2p9a1b2c3d4e5f6g7h',
};
export const signIn = { status: 'connected', account_id: 'apn_0mvx3k2p9a1b2c3d4e5f6g7h' };

export const app = {
  app: 'slack',
  auth: 'fields',
  fields: ['bot_token'],
  provider: null,
  parameters: [],
  accounts: 1,
};
export const activity = { minute_ms: AT_MS, runs: 12, events: 30, errors: 1, delivered: 58, failed: 2 };
export const metric = { at_ms: AT_MS, value: 12, by_status: { '4xx': 2, '5xx': 9, none: 1 } };

export const notices = { id: 'dc_notices3f2a9c1d5b7e8064a1c2d3e4f5061728' };

export const filter = { type: ['paid'], amount: [{ numeric: ['>', 100] }] };
export const subscription = {
  id: 'sub_0mvx3k2p9a1b2c3d4e5f6g7h',
  emitter_id: sourceId,
  listener_id: webhookId,
  event_name: '',
  filter,
};
export const autoSubscription = {
  id: 'asub_0mvx3k2p9a1b2c3d4e5f6g7h',
  event_name: '$errors',
  listener_id: webhookId,
};

export const webhookItem = {
  id: webhookId,
  name: 'Billing',
  description: null,
  url: 'https://billing.tributary.dev/hook',
  active: true,
  ...times,
  headers: { 'x-team': 'billing' },
  rate_limit: 20,
  retry_seconds: [60, 600, 3_600],
  ordered: false,
  format: 'event',
  target: null,
  tags: ['team:billing', 'production'],
  last_attempt: { at_ms: AT_MS, outcome: 'delivered', status: 204, ms: 87 },
  last_success_ms: AT_MS,
  failing_since_ms: null,
  slow_since_ms: null,
  disabled_reason: null,
  next_attempt_ms: null,
  held_count: 0,
  delivery_addresses: ['198.51.100.7'],
};
export const webhook = { ...webhookItem, user_id: userId };
export const newWebhook = { ...webhook, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' };

export const portalLink = {
  url: 'https://api.example.com/portal#pt_c2hvd3Mgb25lIHdlYmhvb2s',
  expires_at_ms: AT_MS + 3_600_000,
};

export const testEvent = { test: true };
export const webhookTest = {
  outcome: 'delivered',
  status: 200,
  ms: 87,
  answer: 'ok',
  response_headers: [{ name: 'content-type', value: 'text/plain' }],
  reason: null,
};

const failure = { at_ms: AT_MS, outcome: 'rejected', status: 503, ms: 87 };
const deliveryState = { status: 'retrying', attempts: 1, last_attempt: failure };
export const delivery = {
  id: 'dl_0mvx3k2p9a1b2c3d4e5f6g7h',
  webhook_id: webhookId,
  emitter_id: sourceId,
  event_name: '',
  event_id: eventId,
  emit_id: '4f1c2d3e',
  ...deliveryState,
  created_at_ms: AT_MS,
  next_attempt_ms: AT_MS + 5_000,
};
export const deliveryWithAttempts = {
  ...delivery,
  attempt_log: [
    {
      attempt: 1,
      ...failure,
      answer: 'Down for maintenance.',
      response_headers: [{ name: 'retry-after', value: '120' }],
      reason: null,
    },
  ],
};
export const recovery = {
  id: 'rc_0mvx3k2p9a1b2c3d4e5f6g7h',
  since_ms: AT_MS,
  status: 'running',
  found: 12,
  sent: 3,
  delivered: 2,
  started_at_ms: AT_MS + 60_000,
  finished_at_ms: null,
};

export const eventSummary = {
  id: eventId,
  indexed_at_ms: AT_MS,
  event: { greeting: 'Ahoy, Ada!', count: 1 },
  metadata: { emit_id: '4f1c2d3e', name: '', emitter_id: sourceId, summary: 'Greeted Ada' },
};
export const event = {
  ...eventSummary,
  trigger_id: 'api-4f1c2d3e',
  deliveries: [{ webhook_id: webhookId, delivery_id: delivery.id, ...deliveryState }],
};
export const legacyEvent = { id: eventId, e: { greeting: 'Ahoy, Ada!' }, k: 'emit', ts: AT_MS };
export const liveToken = {
  token: 'lt_Zm9sbG93cyBvbmUgc3RyZWFt',
  url: `${liveUrl}?token=lt_Zm9sbG93cyBvbmUgc3RyZWFt`,
  expires_at_ms: AT_MS + 600_000,
};
export const trigger = { id: 'api-4f1c2d3e' };
export const run = {
  ...trigger,
  state: 'done',
  received_at_ms: AT_MS,
  started_at_ms: AT_MS + 8,
  ended_at_ms: AT_MS + 31,
  emitted: 1,
  error: null,
};

export const accessKey = {
  id: 'key_0mvx3k2p9a1b2c3d4e5f6g7h',
  name: 'Dashboard',
  scopes: ['read'],
  expires_at_ms: null,
  last_used_ms: null,
  overlap_until_ms: null,
  is_current: false,
  created_at: AT,
};
export const currentKey = { ...accessKey, is_current: true, user_id: userId, username: 'ada' };
export const newAccessKey = { ...accessKey, api_key: 'kTqv0mJ3Zb1sYxWc8nLr7pHs9eUa5S6WQdK3m0Yw2T4' };

export const auditEntry = {
  number: 42,
  at_ms: AT_MS,
  by: { kind: 'key', id: accessKey.id, name: accessKey.name },
  operation: 'updateWebhook',
  ids: [webhookId],
  before: { active: true },
  after: { active: false },
  hidden: ['headers'],
  removed: null,
  is_shortened: false,
  request_id: '1f6a3c52-0b7e-4c39-8d8a-6f2b9f0f6d11',
  client_ip: '192.0.2.7',
};

export const freeUser = {
  id: userId,
  username: 'ada',
  email: 'ada@tributary.dev',
  api_key: '5S6WQdK3m0Yw2T4uVb1xZc8nLr7pHs9e',
  daily_compute_time_quota: 100_800_000,
  daily_compute_time_used: 5_120,
  daily_invocations_quota: 1_000_000,
  daily_invocations_used: 240,
};

export const session = {
  sign_in: { name: 'Acme SSO', url: 'https://tributary.example.com/v1/session/sign_in' },
  session: {
    email: 'ann@acme.com',
    name: 'Ann',
    role: 'owner',
    user: { id: freeUser.id, name: freeUser.username },
    users: [{ id: freeUser.id, name: freeUser.username, role: 'owner' }],
    scopes: ['read', 'send', 'manage', 'metrics'],
    csrf: 'k3Jw5xq0mH1nT8vYb2Lr6cZp9dFs4gAeUo7iQxWyRkM',
    expires_at_ms: 1_767_268_800_000,
  },
};

export const signedOut = { sign_out_url: 'https://sso.acme.com/logout?client_id=tributary' };
