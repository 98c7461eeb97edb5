import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { routes } from '../../shared/http/routes.ts';
import { type ApiClient, apiClient } from '../support/api-client.ts';
import { startTestCloud, type TestCloud } from '../support/cloud.ts';
import { emitter } from '../support/components.ts';
import { registerTestClient } from '../support/register-client.ts';
import { aUser, aWorkflow, publish } from '../support/stores.ts';
import { repetitions } from '../support/repetitions.ts';
import { until } from '../support/until.ts';

/** 10,000 in `npm run test:long`; most are reads, which cost least. `npm run generated-clients` sends more. */
const REQUESTS = { reads: repetitions(8, 270), others: repetitions(8, 90), lookUps: repetitions(8, 90) };
const EXPECTED = repetitions(400, 10_000);
const SIDE_BY_SIDE = 8;

interface Sent {
  path: string;
  query?: Record<string, string>;
  body?: Record<string, unknown>;
}
/** The change that makes a valid request invalid, if any. */
type Twist =
  | { kind: 'none' }
  | { kind: 'fields'; include: string[]; exclude: string[] }
  | { kind: 'value'; field: number; value: unknown }
  | { kind: 'missing'; field: number }
  | { kind: 'id'; id: string }
  | { kind: 'body'; text: string }
  | { kind: 'type'; type: string }
  | { kind: 'query'; text: string };

const junk = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    'x'.repeat(3_000),
    'a\0b',
    '\ud800',
    '*',
    'dc_*',
    'p_*',
    '1e2',
    '-1',
    '101',
    'null',
    'event',
    '1-1',
  ),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.dictionary(fc.string(), fc.jsonValue()),
  fc.array(fc.jsonValue(), { maxLength: 3 }),
);
const twists: fc.Arbitrary<Twist> = fc.oneof(
  { weight: 8, arbitrary: fc.constant<Twist>({ kind: 'none' }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('fields' as const),
      include: fc.subarray(['id', 'name', 'event', 'nothing', 'constructor']),
      exclude: fc.subarray(['id', 'metadata', '__proto__']),
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('value' as const), field: fc.nat(9), value: junk }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('missing' as const), field: fc.nat(9) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('id' as const),
      id: fc.oneof(fc.string({ unit: 'binary', minLength: 1 }), fc.constantFrom('dc_never', 'wh_x', 'p_x', 'sc_', '%')),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('body' as const),
      text: fc.constantFrom('{', '[]', 'null', '"x"', '{"a":1}}', `{"a":${'['.repeat(300)}${']'.repeat(300)}}`),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('type' as const),
      type: fc.constantFrom('text/plain', 'application/xml', 'x'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('query' as const),
      text: fc.constantFrom('limit=1&limit=2', 'x=%zz', '%ff=1', '&&=', 'a&b=c=d'),
    }),
  },
);

let cloud: TestCloud;
let api: ApiClient;
/** Valid requests of each operation; whatever they need is made before. */
let valid: Record<string, () => Sent | Promise<Sent>>;

beforeAll(async () => {
  cloud = await startTestCloud();
  const user = await aUser(cloud);
  api = (await apiClient(cloud.base, cloud.key)).as(user.key);
  const code = emitter();
  const component = (await api.post('/components', { component_code: code })).body.data;
  const sized = "export default { name: 'Sized', props: { size: { type: 'string', options: ['s', 'l'] } }, run() {} };";
  const choosing = (await api.post('/components', { component_code: sized })).body.data;
  await publish(cloud, component.id);
  const newSource = async () => (await api.post('/sources', { component_id: component.id })).body.data.id as string;
  const newWebhook = async () => (await api.post('/webhooks', { url: 'http://127.0.0.1:9/' })).body.data.id as string;
  const newAccount = async () =>
    (await api.post('/accounts', { app: 'slack', fields: { token: 't' } })).body.data.id as string;
  const account = await newAccount();
  await registerTestClient(cloud, {
    settings: { authorization: 'http://127.0.0.1:9/authorize', token: 'http://127.0.0.1:9/token' },
  });
  const { attempt_id: attempt } = (await api.post('/accounts/connect', { app: 'acme' })).body.data;
  const [source, updated, webhook] = [await newSource(), await newSource(), await newWebhook()];
  const { id: workflow, credential } = await aWorkflow(cloud, user.id);
  const emits = Array.from({ length: 30 }, (_, n) => [{ n }]);
  await api.post(`/sources/${source}/run`, { emits });
  const event = await until('events are there', async () => {
    const { body } = await api.get(`/sources/${source}/event_summaries`);
    return body.page_info.total_count === 30 && (body.page_info.start_cursor as string);
  });
  let names = 0;
  const report = (path: string, body: object) =>
    fetch(`${cloud.ingress}/workflows/${workflow}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  await report('/emits', { n: 1 });
  await report('/errors', { original_event: {}, error: { code: 'E', stack: '' } });
  const newestOf = (path: string) =>
    until(`an event is in ${path}`, async () => {
      const { body } = await api.get(`/workflows/${workflow}${path}/event_summaries`);
      return (body.page_info.start_cursor as string | null) ?? false;
    });
  const [reported, error] = [await newestOf(''), await newestOf('/$errors')];
  const [emitting, failing] = [await newSource(), await newWebhook()];
  await api.post('/subscriptions', { emitter_id: emitting, listener_id: failing });
  const deliver = { emits: Array.from({ length: 20 }, (_, n) => [{ n }]) };
  // Nothing else runs this source, so that the record of this run stays among its newest.
  const trigger: string = (await api.post(`/sources/${emitting}/run`, deliver)).body.data.id;
  const deliveries = await until('the deliveries are listed', async () => {
    const { body } = await api.call('GET', `/webhooks/${failing}/deliveries`, { query: 'limit=100' });
    return body.data.length === 20 && (body.data as { id: string }[]).map(({ id }) => id);
  });
  const deliveryPath = () => `/webhooks/${failing}/deliveries/${deliveries[(names += 1) % deliveries.length]}`;
  const recover = { path: `/webhooks/${failing}/recover`, body: { since: String(Date.now() - 60_000) } };
  await api.post(recover.path, recover.body);
  const name = () => `name-${(names += 1)}`;
  const subscription = async () => {
    const query = { emitter_id: source, listener_id: webhook, event_name: name() };
    await api.post('/subscriptions', query);
    return { path: '/subscriptions', query };
  };
  const auto = async () => {
    const query = { event_name: name(), listener_id: webhook };
    await api.post('/auto_subscriptions', query);
    return { path: '/auto_subscriptions', query };
  };
  /** The first key, which makes all requests, and the one that is rotated stay. */
  const rotated: string = (await api.post('/keys', { name: name(), scopes: ['read'] })).body.data.id;
  const withRoom = async () => {
    const { body } = await api.call('GET', '/keys', { query: 'limit=100' });
    const others = (body.data as { id: string; is_current: boolean }[]).filter(
      (each) => !each.is_current && each.id !== rotated,
    );
    if (others.length > 20) await Promise.all(others.map(({ id }) => api.delete(`/keys/${id}`)));
  };
  const newKey = () => ({ name: name(), scopes: ['read', 'send'], expires_at_ms: Date.now() + 86_400_000 });
  valid = {
    createKey: async () => {
      await withRoom();
      return { path: '/keys', body: newKey() };
    },
    deleteKey: async () => {
      await withRoom();
      return { path: `/keys/${(await api.post('/keys', newKey())).body.data.id}` };
    },
    rotateKey: () => ({ path: `/keys/${rotated}/rotate`, body: { overlap_seconds: 60 } }),
    listKeys: () => ({ path: '/keys', query: { limit: '3' } }),
    getCurrentKey: () => ({ path: '/keys/current' }),
    createComponent: () => ({
      path: '/components',
      body: {
        component_code: code,
        component_path: 'a.mjs',
        component_files: { 'b.mjs': '' },
        component_url: 'http://127.0.0.1:9/x.mjs',
      },
    }),
    getComponent: () => ({ path: `/components/${component.id}` }),
    configureComponent: () => ({
      path: '/components/configure',
      body: {
        id: choosing.id,
        prop_name: 'size',
        configured_props: {},
        page: 0,
        prev_context: {},
        query: 'x',
      },
    }),
    listComponents: () => ({ path: '/users/me/components', query: { q: 'sized', limit: '3' } }),
    getRegistryComponent: () => ({ path: '/components/registry/emitter' }),
    listSources: () => ({ path: '/users/me/sources', query: { limit: '3', state: 'active' } }),
    createSource: () => ({
      path: '/sources',
      body: { component_id: component.id, name: name(), configured_props: {} },
    }),
    getSource: () => ({ path: `/sources/${source}` }),
    updateSource: () => ({
      path: `/sources/${updated}`,
      body: { name: name(), configured_props: {}, active: true },
    }),
    deleteSource: async () => ({ path: `/sources/${await newSource()}` }),
    runSource: () => ({ path: `/sources/${source}/run`, body: { emits: [] } }),
    listSourceEventSummaries: () => ({
      path: `/sources/${source}/event_summaries`,
      query: { limit: '7', after: event, expand: 'event', event_name: 'default', filter: '{"n":[1]}' },
    }),
    listSourceEvents: () => ({ path: `/sources/${source}/events`, query: { n: '5' } }),
    deleteSourceTriggers: () => ({ path: `/sources/${updated}/triggers` }),
    resetSourceDedupe: () => ({ path: `/sources/${updated}/dedupe` }),
    deleteSourceEvents: () => ({
      path: `/sources/${updated}/events`,
      query: { start_id: '1-0', end_id: event },
    }),
    listWorkflowEventSummaries: () => ({
      path: `/workflows/${workflow}/event_summaries`,
      query: { limit: '2' },
    }),
    listWorkflowErrorSummaries: () => ({
      path: `/workflows/${workflow}/$errors/event_summaries`,
      query: { expand: 'event' },
    }),
    createSubscription: () => ({
      path: '/subscriptions',
      query: {
        emitter_id: source,
        listener_id: webhook,
        event_name: name(),
        filter: '{"n":[{"prefix":"x"}]}',
      },
    }),
    deleteSubscription: subscription,
    listSubscriptions: () => ({ path: '/users/me/subscriptions' }),
    createAutoSubscription: () => ({
      path: '/auto_subscriptions',
      query: { event_name: name(), listener_id: webhook },
    }),
    deleteAutoSubscription: auto,
    listAutoSubscriptions: () => ({ path: '/users/me/auto_subscriptions' }),
    createWebhook: () => ({
      path: '/webhooks',
      query: { url: 'https://example.org/x', name: name(), description: 'd' },
    }),
    createPortalLink: () => ({
      path: '/webhooks/portal_links',
      body: { webhook_id: webhook, name: 'Acme', color: '#0b6e4f' },
    }),
    listWebhooks: () => ({ path: '/users/me/webhooks', query: { limit: '100' } }),
    getWebhook: () => ({ path: `/webhooks/${webhook}` }),
    updateWebhook: () => ({
      path: `/webhooks/${webhook}`,
      body: { url: 'http://127.0.0.1:9/', name: name(), active: true },
    }),
    deleteWebhook: async () => ({ path: `/webhooks/${await newWebhook()}` }),
    getSourceRun: () => ({ path: `/sources/${emitting}/runs/${trigger}` }),
    createSourceToken: () => ({
      path: `/sources/${source}/sse_tokens`,
      body: { ttl_seconds: 60, event_name: 'default' },
    }),
    createWorkflowToken: () => ({
      path: `/workflows/${workflow}/sse_tokens`,
      body: { ttl_seconds: 60, event_name: 'default' },
    }),
    getSourceEvent: () => ({ path: `/sources/${source}/events/${event}`, query: { event_name: 'default' } }),
    findEvents: () => ({ path: `/users/me/events/${event}` }),
    getWorkflowEvent: () => ({ path: `/workflows/${workflow}/events/${reported}` }),
    getWorkflowError: () => ({ path: `/workflows/${workflow}/$errors/events/${error}` }),
    rotateWebhookSecret: () => ({ path: `/webhooks/${webhook}/secret`, body: { revoke: false } }),
    testWebhook: () => ({ path: `/webhooks/${webhook}/test`, body: { n: 1 } }),
    listDeliveries: () => ({
      path: `/webhooks/${failing}/deliveries`,
      query: { limit: '7', emitter_id: emitting, since: '2026-01-01' },
    }),
    findDelivery: () => ({ path: `/users/me/deliveries/${deliveryPath().split('/').at(-1)}` }),
    getDelivery: () => ({ path: deliveryPath(), query: { expand: 'event' } }),
    redeliver: () => ({ path: `${deliveryPath()}/redeliver` }),
    startRecovery: () => recover,
    getRecovery: () => ({ path: recover.path }),
    listWorkflows: () => ({ path: '/users/me/workflows', query: { limit: '3' } }),
    listAccounts: () => ({ path: '/users/me/accounts', query: { app: 'slack' } }),
    createAccount: () => ({
      path: '/accounts',
      body: { app: 'slack', name: name(), fields: { token: 't', 'base.url': 'https://a.example' } },
    }),
    getAccount: () => ({ path: `/accounts/${account}` }),
    updateAccount: () => ({
      path: `/accounts/${account}`,
      body: { name: name(), fields: { token: 'u', extra: null } },
    }),
    deleteAccount: async () => ({ path: `/accounts/${await newAccount()}`, query: { force: 'true' } }),
    startConnecting: () => ({
      path: '/accounts/connect',
      body: { app: 'acme', name: name(), scopes: ['read'] },
    }),
    getConnectAttempt: () => ({ path: `/accounts/connect/${attempt}` }),
    listApps: () => ({ path: '/apps', query: { q: 'sl' } }),
    getActivity: () => ({ path: '/users/me/activity', query: { minutes: '3' } }),
    getMetrics: () => ({
      path: '/users/me/metrics',
      query: { measure: 'latency', source_id: source, granularity: 'day', since: '2026-01-01T00:00:00Z' },
    }),
    getNotices: () => ({ path: '/users/me/notices' }),
    getAudit: () => ({
      path: '/users/me/audit',
      query: { operation: 'updateWebhook', since: '2026-01-01', limit: '3' },
    }),
    getUser: () => ({ path: '/users/me', query: { unknown: 'x' } }),
  };
});
afterAll(() => cloud.stop());

/**
 * Ten seconds admit about 90 of them, fewer when the user has many webhooks and streams: they come first, and are few.
 */
const LOOK_UPS: readonly string[] = ['findEvents', 'findDelivery'];
const requestsOf = (operation: string, method: string) =>
  LOOK_UPS.includes(operation) ? REQUESTS.lookUps : method === 'GET' ? REQUESTS.reads : REQUESTS.others;

const operations = Object.values(routes)
  .flatMap((group) => Object.entries(group))
  // A live stream has no end: live.test.ts.
  .filter(([, route]) => !route.isPublic && route.envelope !== 'stream')
  .map(([operation, { method }]) => ({
    operation,
    method,
    requests: requestsOf(operation, method),
  }))
  .sort((a, b) => Number(LOOK_UPS.includes(b.operation)) - Number(LOOK_UPS.includes(a.operation)));

test('every operation is asked', () => {
  expect(Object.keys(valid).sort()).toEqual(operations.map(({ operation }) => operation).sort());
  expect(operations.reduce((sum, { requests }) => sum + requests, 0)).toBeGreaterThanOrEqual(EXPECTED);
});

test.each(operations)(
  '$operation answers $requests generated requests as documented, never with a 5xx',
  async ({ operation, method, requests }) => {
    const statuses = new Map<number, number>();
    const queue = fc.sample(twists, { numRuns: requests, seed: 20261120 });
    const worker = async () => {
      for (let twist = queue.pop(); twist; twist = queue.pop()) {
        const make = valid[operation];
        if (!make) throw new Error(`No valid request for ${operation}`);
        const request = twisted(await make(), twist);
        const { status } = await until('the rate admits the request', async () => {
          const response = await send(method, request);
          return response.body?.code !== 'rate_exceeded' && response;
        });
        expect(status, JSON.stringify(twist)).toBeLessThan(500);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
    const counted = [...statuses].sort().map(([status, times]) => `${status} × ${times}`);
    console.log(`${operation}: ${counted.join(', ')}`);
    const succeeded = [...statuses].filter(([status]) => status < 300).reduce((sum, [, times]) => sum + times, 0);
    expect(succeeded).toBeGreaterThanOrEqual(requests / 3);
  },
);

interface Twisted extends Sent {
  text?: string;
  raw?: string;
  headers?: Record<string, string>;
}

const send = (method: string, { path, query, text, body, raw, headers }: Twisted) =>
  api.call(method, path, {
    query: [String(new URLSearchParams(query)), text ?? ''].filter((part) => part !== '').join('&'),
    ...(body === undefined ? {} : { body }),
    ...(raw === undefined || method === 'GET' ? {} : { raw }),
    ...(headers === undefined ? {} : { headers }),
  });

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
/** Dots alone would be resolved by the client. */
const segment = (id: string) => encodeURIComponent(Buffer.from(id).toString()).replace(/^\.+$/, 'dots');

function twisted(sent: Sent, twist: Twist): Twisted {
  const { query = {}, body } = sent;
  switch (twist.kind) {
    case 'none':
      return sent;
    case 'fields':
      return { ...sent, query: { ...query, include: twist.include.join(), exclude: twist.exclude.join() } };
    case 'value': {
      const names = [...Object.keys(body ?? query), 'limit', 'after', 'before', 'expand', 'include', 'active'];
      const name = names[twist.field % names.length] ?? 'limit';
      if (body) return { ...sent, body: { ...body, [name]: twist.value } };
      return { ...sent, query: { ...query, [name]: asText(twist.value) } };
    }
    case 'missing': {
      const parameters = Object.entries(body ?? query);
      const left = Object.fromEntries(
        parameters.filter((_, at) => at !== twist.field % Math.max(1, parameters.length)),
      );
      return body ? { ...sent, body: left } : { ...sent, query: left as Record<string, string> };
    }
    case 'id':
      return { ...sent, path: sent.path.replace(/(dc|wh|p|sc|apn|key)_\w+|emitter/, segment(twist.id)) };
    case 'body':
      return { ...sent, raw: twist.text };
    case 'type':
      return { ...sent, headers: { 'content-type': twist.type } };
    case 'query':
      return { ...sent, text: twist.text };
  }
}
