import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATOR } from '../../infra/embedded/iam/authorizer.ts';
import { dynamoClient } from '../../shared/aws/clients.ts';
import { metricStore } from '../../shared/store/users/metrics.ts';
import type { ApiClient } from '../support/api-client.ts';
import { fieldsOf, FIELDS, TOKEN } from '../support/canary-account.ts';
import { emitter } from '../support/components.ts';
import { operator } from '../support/operator.ts';
import { ECHO, Scene } from '../support/scene.ts';
import { aUser } from '../support/stores.ts';
import { until } from '../support/until.ts';

let scene: Scene;
let admin: ReturnType<typeof operator>;
beforeAll(async () => {
  scene = await Scene.open();
  admin = operator(scene.cloud);
});
afterAll(() => scene.close());

/** A user of its own, so that its lists hold only what the test makes. */
async function someone(): Promise<{ id: string; api: ApiClient }> {
  const { id, key } = await aUser(scene.cloud);
  return { id, api: scene.api.as(key) };
}

describe('GET /users/me/components', () => {
  const code = (name: string, key?: string, more = '') =>
    `export default { name: '${name}', version: '1', ${key === undefined ? '' : `key: '${key}',`} run() {} ${more} };`;

  test('lists the newest of each key, and of each name without a key, newest first and without code', async () => {
    const { api } = await someone();
    const create = async (text: string) => (await api.post('/components', { component_code: text })).body.data;
    await create(code('First', 'one'));
    const newest = await create(code('First again', 'one'));
    await create(code('Nameless'));
    const nameless = await create(code('Nameless', undefined, ', methods: {}'));
    const { status, body } = await api.get('/users/me/components');
    expect(status).toBe(200);
    expect(body.data[0]).not.toHaveProperty('code');
    expect(body.data).toEqual([
      { ...nameless, code: undefined },
      expect.objectContaining({ id: newest.id, key: 'one' }),
    ]);
    expect(body.page_info).toMatchObject({ total_count: 2, count: 2 });
    expect((await (await someone()).api.get('/users/me/components')).body.data).toEqual([]);
  });

  test('is paginated and searched', async () => {
    const { api } = await someone();
    for (const n of [1, 2, 3]) await api.post('/components', { component_code: code(`Part ${n}`, `part-${n}`) });
    const first = (await api.get('/users/me/components', { limit: 2 })).body;
    const rest = (await api.get('/users/me/components', { limit: 2, after: first.page_info.end_cursor })).body;
    expect([...first.data, ...rest.data].map(({ key }: { key: string }) => key)).toEqual([
      'part-3',
      'part-2',
      'part-1',
    ]);
    expect(first.page_info.total_count).toBe(3);
    const found = (await api.get('/users/me/components', { q: 'PART-2' })).body;
    expect([found.data[0].name, found.page_info.total_count]).toEqual(['Part 2', 1]);
    expect((await api.get('/users/me/components', { after: 'x' })).body.code).toBe('invalid_cursor');
  });
});

test('GET /users/me/workflows lists what the operator registered, newest first', async () => {
  const { id: owner, api } = await someone();
  const made: { id: string; ingest_url: string }[] = [];
  for (const name of ['orders', 'mail']) {
    made.push(await admin('workflows register', { owner, name, target: 'http://127.0.0.1:9/x' }));
    const madeAt = Date.now();
    await until('the next id has a later time', () => Date.now() > madeAt);
  }
  const { body } = await api.get('/users/me/workflows');
  expect(body.data).toEqual([
    {
      id: made[1]?.id,
      name: 'mail',
      target: 'http://127.0.0.1:9/x',
      ingest_url: made[1]?.ingest_url,
      created_at: expect.any(Number) as number,
    },
    expect.objectContaining({ id: made[0]?.id, name: 'orders' }),
  ]);
  const page = (await api.get('/users/me/workflows', { limit: 1 })).body;
  expect(page.page_info).toMatchObject({ total_count: 2, count: 1 });
  const rest = (await api.get('/users/me/workflows', { after: page.page_info.end_cursor })).body;
  expect(rest.data[0].name).toBe('orders');
  await admin('workflows delete', { workflow: made[1]?.id ?? '' });
  expect((await api.get('/users/me/workflows')).body.page_info.total_count).toBe(1);
});

test('GET /users/me/accounts lists connected accounts, by app, and never a field', async () => {
  const { id: owner, api } = await someone();
  const add = (app: string, more: object = {}) =>
    admin<{ id: string }>('accounts add', { owner, app, field: fieldsOf(FIELDS), ...more });
  const first = await add('slack', { name: 'Team' });
  const second = await add('github');
  const { body, text } = await api.get('/users/me/accounts');
  const rest = {
    kind: 'fields',
    field_names: Object.keys(FIELDS),
    status: 'connected',
    status_reason: null,
    scopes: null,
    expires_at_ms: null,
    connected_at_ms: null,
    renewed_at_ms: null,
    created_at: expect.any(Number) as number,
    used_by: 0,
  };
  const github = { id: second.id, app: 'github', name: 'github', ...rest };
  const slackTeam = { id: first.id, app: 'slack', name: 'Team', ...rest };
  // Newest first. Both may be made in one millisecond: then their ids decide.
  expect(body.data).toEqual([github, slackTeam].sort((a, b) => (a.id < b.id ? 1 : -1)));
  expect(text).not.toContain(TOKEN);
  const slack = (await api.get('/users/me/accounts', { app: 'slack' })).body;
  expect([slack.data[0].id, slack.page_info.total_count]).toEqual([first.id, 1]);
  expect((await api.get('/users/me/accounts', { limit: 1 })).body.page_info).toMatchObject({
    count: 1,
    total_count: 2,
  });
});

describe('sources', () => {
  test('have endpoint_url, and in lists state and the times of the last event and error', async () => {
    const { api } = await someone();
    const http = (await api.post('/sources', { component_code: ECHO })).body.data;
    const plain = (await api.post('/sources', { component_code: emitter() })).body.data;
    expect(http.endpoint_url).toBe(http.configured_props.http.endpoint_url);
    expect(plain.endpoint_url).toBeNull();
    expect(http).not.toHaveProperty('state');
    const listed = async () => (await api.get('/users/me/sources')).body.data;
    const silent = { state: 'active', last_event_ms: null, last_error_ms: null };
    expect(await listed()).toMatchObject([
      { id: plain.id, endpoint_url: null, ...silent },
      { id: http.id, endpoint_url: http.endpoint_url, ...silent },
    ]);
    const before = Date.now();
    await api.post(`/sources/${plain.id}/run`, { emits: [[{ n: 1 }, { name: 'own' }]] });
    await api.post(`/sources/${http.id}/run`, { n: 1 });
    const [withEvent] = await until('both have emitted', async () => {
      const found = await listed();
      return found.every(({ last_event_ms: at }: { last_event_ms: unknown }) => at !== null) && found;
    });
    expect(withEvent.last_event_ms).toBeGreaterThanOrEqual(before);
    expect(withEvent.last_event_ms).toBeLessThanOrEqual(Date.now());
    expect(withEvent.last_error_ms).toBeNull();
    await api.post(`/sources/${plain.id}/run`, { throws: 'broken' });
    await until('the error is seen', async () => (await listed())[0].last_error_ms >= withEvent.last_event_ms);
  });

  test('are listed by state', async () => {
    const { api } = await someone();
    const [active, disabled] = await Promise.all(
      ['first', 'second'].map(
        async (name) => (await api.post('/sources', { component_code: emitter(), name })).body.data.id,
      ),
    );
    await api.put(`/sources/${disabled}`, { active: false });
    const ids = async (query: Record<string, string>) => {
      const { data, page_info: info } = (await api.get('/users/me/sources', query)).body;
      return [data.map(({ id }: { id: string }) => id), info.total_count];
    };
    await until('it is disabled', async () => (await ids({ state: 'disabled' }))[1] === 1);
    expect(await ids({ state: 'disabled' })).toEqual([[disabled], 1]);
    expect(await ids({ state: 'active' })).toEqual([[active], 1]);
    expect(await ids({ state: 'failed' })).toEqual([[], 0]);
    expect(await ids({ state: 'disabled', q: 'first' })).toEqual([[], 0]);
    const { status, body } = await api.get('/users/me/sources', { state: 'inactive' });
    expect([status, body.details[0].path]).toEqual([400, 'state']);
  });
});

describe('GET /users/me/activity', () => {
  test('has one row a minute, with runs, events, errors and attempts', async () => {
    const { api } = await someone();
    const hook = await scene.webhook();
    const failing = await scene.webhook();
    failing.receiver.respond = () => ({ status: 500 });
    const { id } = (await api.post('/sources', { component_code: emitter() })).body.data;
    for (const { receiver } of [hook, failing]) {
      const listener = (await api.post('/webhooks', { url: receiver.url })).body.data.id;
      await api.post('/subscriptions', { emitter_id: id, listener_id: listener });
    }
    await api.post(`/sources/${id}/run`, { emits: [[{ n: 1 }], [{ n: 2 }]] });
    await api.post(`/sources/${id}/run`, { throws: 'broken' });
    const sums = async () => {
      const { data } = (await api.get('/users/me/activity')).body;
      const sum = (name: string) =>
        data.reduce((all: number, row: Record<string, number>) => all + (row[name] ?? 0), 0);
      return {
        rows: data.length,
        runs: sum('runs'),
        events: sum('events'),
        errors: sum('errors'),
        delivered: sum('delivered'),
      };
    };
    await until('all is counted', async () => (await sums()).delivered >= 2 && (await sums()).errors >= 1);
    expect(await sums()).toMatchObject({ rows: 60, runs: 2, events: 2, errors: 1, delivered: 2 });
    const { data } = (await api.get('/users/me/activity', { minutes: 5 })).body;
    expect(data).toHaveLength(5);
    expect(data.map(({ minute_ms: at }: { minute_ms: number }) => at % 60_000)).toEqual([0, 0, 0, 0, 0]);
    expect(data[4].minute_ms - data[0].minute_ms).toBe(240_000);
    await until('the failed attempts are counted', async () => {
      const rows: { failed: number }[] = (await api.get('/users/me/activity')).body.data;
      return rows.some(({ failed }) => failed > 0);
    });
    expect((await (await someone()).api.get('/users/me/activity')).body.data[59]).toMatchObject({
      runs: 0,
      delivered: 0,
    });
    const metric = async (query: Record<string, string>) =>
      (await api.get('/users/me/metrics', { granularity: 'hour', ...query })).body.data;
    const runs = await metric({ source_id: id, measure: 'runs' });
    expect(runs).toHaveLength(24);
    expect(runs.some(({ value }: { value: number }) => value > 0)).toBe(true);
    await until('a failure is counted by its status', async () => {
      const rows: { by_status?: object }[] = await metric({ source_id: id, measure: 'failures' });
      return rows.some(({ by_status: by }) => by && '5xx' in by);
    });
    const latency: { p50: number }[] = await metric({ source_id: id, measure: 'latency' });
    expect(latency.some(({ p50 }) => p50 > 0)).toBe(true);
  });

  test.each(['0', '1441', 'x'])('minutes=%s is a 400', async (minutes) => {
    const { status, body } = await scene.api.get('/users/me/activity', { minutes });
    expect([status, body.details[0].path]).toEqual([400, 'minutes']);
  });
});

describe('GET /users/me/notices', () => {
  const idOf = async (api: ApiClient) => (await api.get('/users/me/notices')).body.data.id as string;
  const webhookOf = async (api: ApiClient) =>
    (await api.post('/webhooks', { url: 'http://127.0.0.1:1/' })).body.data.id as string;

  test('names one emitter of the user, which is in no list of sources, and is read as a source is', async () => {
    const { api } = await someone();
    const id = await idOf(api);
    expect(id).toMatch(/^dc_[0-9a-z]+$/);
    expect(await idOf(api)).toBe(id);
    expect((await api.get('/users/me/sources')).body.data).toEqual([]);
    const summaries = await api.get(`/sources/${id}/event_summaries`, { event_name: 'webhook.failing' });
    expect([summaries.status, summaries.body.data]).toEqual([200, []]);
    expect((await api.get(`/sources/${id}/events`)).status).toBe(200);
    expect((await api.post(`/sources/${id}/sse_tokens`)).status).toBe(200);
  });

  test('has no other operations, also for its own user', async () => {
    const { api } = await someone();
    const id = await idOf(api);
    const listener = { emitter_id: 'dc_*', listener_id: id, event_name: 'x' };
    const responses = await Promise.all([
      api.get(`/sources/${id}`),
      api.put(`/sources/${id}`, { name: 'mine' }),
      api.delete(`/sources/${id}`),
      api.post(`/sources/${id}/run`, {}),
      api.get(`/sources/${id}/runs/api-1`),
      api.delete(`/sources/${id}/events`),
      api.post('/subscriptions', listener),
      api.post('/auto_subscriptions', listener),
    ]);
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 404));
  });

  test('is there for its own user only', async () => {
    const [{ api }, owner] = [await someone(), await someone()];
    const id = await idOf(owner.api);
    expect(await idOf(api)).not.toBe(id);
    const subscription = {
      emitter_id: id,
      listener_id: await webhookOf(api),
      event_name: 'webhook.failing',
    };
    const responses = await Promise.all([
      api.get(`/sources/${id}/event_summaries`),
      api.get(`/sources/${id}/events`),
      api.get(`/sources/${id}/events/1-0`),
      api.get(`/sources/${id}/sse`),
      api.post(`/sources/${id}/sse_tokens`),
      api.post('/subscriptions', subscription),
    ]);
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 404));
  });

  test('takes subscriptions to the streams of notices, and to no other: they would never deliver', async () => {
    const { api } = await someone();
    const wanted = {
      emitter_id: await idOf(api),
      listener_id: await webhookOf(api),
      event_name: 'source.failed',
    };
    const { status, body } = await api.post('/subscriptions', { ...wanted, event_name: '' });
    expect([status, body.details]).toEqual([
      400,
      [{ path: 'event_name', message: expect.stringContaining('webhook.failing, ') }],
    ]);
    const made = await api.post('/subscriptions', wanted);
    expect([made.status, made.body.data]).toMatchObject([200, wanted]);
    expect((await api.get('/users/me/subscriptions')).body.data).toEqual([made.body.data]);
    expect((await api.delete('/subscriptions', wanted)).status).toBe(204);
  });
});

describe('GET /users/me/metrics', () => {
  test.each([
    [{ measure: 'runs', webhook_id: 'wh_1' }, 'measure'],
    [{ measure: 'errors', webhook_id: 'wh_1' }, 'measure'],
    [{ measure: 'events', webhook_id: 'wh_1' }, 'measure'],
    [{ measure: 'deliveries', webhook_id: 'wh_1', source_id: 'dc_1' }, 'webhook_id'],
    [{ measure: 'deliveries', webhook_id: 'dc_1' }, 'webhook_id'],
    [{ measure: 'deliveries' }, 'source_id'],
    [{ source_id: 'dc_1' }, 'measure'],
    [{ measure: 'runs', source_id: 'dc_1', granularity: 'week' }, 'granularity'],
    [{ measure: 'runs', source_id: 'dc_1', since: '2031-01-01', until: '2030-01-01' }, 'since'],
    [{ measure: 'runs', source_id: 'dc_1', since: '2000-01-01' }, 'since'],
    [{ measure: 'runs', source_id: 'dc_1,wh_1' }, 'source_id'],
  ])('%j is a 400 that names %s', async (query: Record<string, string>, path) => {
    const { status, body } = await scene.api.get('/users/me/metrics', query);
    expect([status, body.details[0].path]).toEqual([400, path]);
  });

  test('of an unknown source or webhook is a 404', async () => {
    const metrics = (query: Record<string, string>) => scene.api.get('/users/me/metrics', query);
    expect((await metrics({ measure: 'runs', source_id: 'dc_1' })).status).toBe(404);
    expect((await metrics({ measure: 'latency', webhook_id: 'wh_1' })).status).toBe(404);
  });

  test('of several webhooks are one list, whose rows name their webhook', async () => {
    const { api } = await someone();
    const made = async () => (await api.post('/webhooks', { url: 'http://127.0.0.1:1/' })).body.data.id;
    const ids: string[] = [await made(), await made()];
    const query = { measure: 'deliveries', granularity: 'hour', webhook_id: ids.join(',') };
    const { data }: { data: { webhook_id: string }[] } = (await api.get('/users/me/metrics', query)).body;
    expect(data).toHaveLength(48);
    expect([...new Set(data.map(({ webhook_id: id }) => id))]).toEqual(ids);
    const unknown = await api.get('/users/me/metrics', { ...query, webhook_id: `${ids[0]},wh_1` });
    expect(unknown.status).toBe(404);
  });

  test('of a webhook have zeros before its first delivery', async () => {
    const { api } = await someone();
    const { id } = (await api.post('/webhooks', { url: 'http://127.0.0.1:1/' })).body.data;
    const { status, body } = await api.get('/users/me/metrics', { measure: 'failures', webhook_id: id });
    expect([status, body.data.length, body.data[0]]).toEqual([
      200,
      60,
      { at_ms: expect.any(Number) as number, value: 0, by_status: {} },
    ]);
  });
});

/** The schedule of the stack sends this message every hour. */
const METRICS_MESSAGE = JSON.stringify({ kind: 'metrics' });

test('an hour of metrics that ended is added up, and shown as before', async () => {
  const { api } = await someone();
  const { id } = (await api.post('/webhooks', { url: 'http://127.0.0.1:1/' })).body.data;
  const { outputs } = scene.cloud.cloud.open;
  const metrics = metricStore({ dynamo: dynamoClient(), tableName: outputs['TableName'] ?? '' });
  const first = Math.floor(Date.now() / 3_600_000 - 3) * 3_600_000;
  await metrics.add(id, first + 60_000, new Map([['d2', 7]]));
  const shown = async () => {
    // Both times end in the past: an hour may end between two reads.
    const range = { since: String(first), until: String(first + 3_600_000) };
    const query = { measure: 'deliveries', webhook_id: id, granularity: 'hour', ...range };
    return (await api.get('/users/me/metrics', query)).body.data as object[];
  };
  const before = await shown();
  expect(before[0]).toEqual({ at_ms: first, value: 7, by_status: { '2xx': 7 } });
  const { timers } = JSON.parse(outputs['Queues'] ?? '') as { timers: { url: string } };
  const input = { QueueUrl: timers.url, MessageBody: METRICS_MESSAGE };
  await scene.cloud.cloud.call({ role: OPERATOR, service: 'SQS', operation: 'SendMessage', input });
  await until('the hour is added up', async () => {
    const hours = await metrics.read(id, { granularity: 'hour', first, last: first });
    return hours.get(first)?.isSum === true;
  });
  expect(await shown()).toEqual(before);
});

describe('files and warnings of components', () => {
  const code = `import { name } from './lib/name.mjs'; export default { name, run() { throw new Error('x'); } };`;
  const files = { './lib/name.mjs': `export const name = 'Filed';` };

  test('component_files are built with component_code and shown with expand=files', async () => {
    const made = (await scene.api.post('/components', { component_code: code, component_files: files })).body.data;
    expect(made).toMatchObject({ name: 'Filed', code, path: 'component.mjs' });
    expect(made).not.toHaveProperty('files');
    expect((await scene.api.get(`/components/${made.id}`, { expand: 'files' })).body.data.files).toEqual(files);
    const again = await scene.api.post('/components', { component_code: code, component_files: files });
    expect(again.body.data.id).toBe(made.id);
    const alone = (await scene.api.post('/components', { component_code: emitter() })).body.data;
    expect((await scene.api.get(`/components/${alone.id}`, { expand: 'files' })).body.data.files).toEqual({});
  });

  test('stacks name the path', async () => {
    const text = `export default { name: 'Typed', run(): void { throw new Error('here'); } };`;
    const { body } = await scene.api.post('/sources', {
      component_code: text,
      component_path: 'src/mine.ts',
    });
    await scene.api.post(`/sources/${body.data.id}/run`, {});
    const [error] = await scene.errorsOf(body.data.id);
    expect(error?.event.error.stack).toContain('src/mine.ts:1');
  });

  test.each([
    [{ component_files: { '../x.mjs': '' }, component_code: code }, 'component_files.../x.mjs'],
    [{ component_files: {}, component_url: 'http://127.0.0.1:9/x.mjs' }, 'component_files'],
    [{ component_path: 'a.mjs', component_url: 'http://127.0.0.1:9/x.mjs' }, 'component_path'],
    [{ component_path: '/a.mjs', component_code: code }, 'component_path'],
    [{ component_path: 'a.mjs', component_files: { './a.mjs': '' }, component_code: code }, 'component_files'],
    [{ component_files: { 'component.mjs': '' }, component_code: code }, 'component_files'],
  ])('%j is a 400', async (body, path) => {
    const response = await scene.api.post('/components', body);
    expect([response.status, response.body.details[0].path]).toEqual([400, path]);
  });

  test('a slip is created, with a warning; without one there are no warnings', async () => {
    const slip = `export default { name: 'Slip', version: '1', props: { a: 'strng' }, Run() {} };`;
    const { status, body } = await scene.api.post('/components', { component_code: slip });
    expect(status).toBe(200);
    expect(body.warnings).toEqual([
      'The prop a has the unknown type "strng"; did you mean "string"?',
      'The component has neither run nor hooks: it only emits what its interfaces receive.',
      'The component has an unknown member Run; did you mean run?',
    ]);
    expect((await scene.api.post('/components', { component_code: slip })).body.warnings).toEqual(body.warnings);
    expect((await scene.api.post('/components', { component_code: emitter() })).body).not.toHaveProperty('warnings');
  });

  test('an arrow function as run, and names that are no members of the component, are warned of', async () => {
    const warned = async (component_code: string) =>
      (await scene.api.post('/components', { component_code })).body.warnings as unknown;
    expect(await warned(`export default { name: 'Arrow', run: async (e) => { this.$emit(e); } };`)).toEqual([
      'run is an arrow function, in which this is not the component: write run(…) { … }.',
    ]);
    const members = `...{ props: { url: 'string' } }, methods: { ...{ get() {} } }, run() { this.url; this.get(); `;
    expect(await warned(`export default { name: 'This', ${members} this.ulr.x; } };`)).toEqual([
      'The component reads this.ulr, and has neither a prop nor a method ulr; did you mean this.url?',
    ]);
    expect(await warned(`export default { name: 'That', ${members} } };`)).toBeUndefined();
    const dynamic = `additionalProps() { return { ulr: { type: 'string' } }; },`;
    expect(await warned(`export default { name: 'More', ${dynamic} ${members} this.ulr.x; } };`)).toBeUndefined();
  });
});

test('POST /components/configure with reload gives all props for the values', async () => {
  const code = `export default { name: 'Grows', version: '1',
    props: { kind: { type: 'string', reloadProps: true } },
    additionalProps() { return this.kind ? { [this.kind]: { type: 'integer' } } : {}; }, run() {} };`;
  const { id } = (await scene.api.post('/components', { component_code: code })).body.data;
  const reload = async (configured_props: object) =>
    (await scene.api.post('/components/configure', { id, reload: true, configured_props })).body.data
      .configurable_props;
  const kind = { name: 'kind', type: 'string', reloadProps: true };
  expect(await reload({})).toEqual([kind]);
  expect(await reload({ kind: 'size' })).toEqual([kind, { name: 'size', type: 'integer' }]);
  for (const body of [{ id }, { id, reload: false }, { id, reload: true, prop_name: 'kind' }]) {
    const response = await scene.api.post('/components/configure', body);
    expect([response.status, response.body.details[0].path]).toEqual([400, 'prop_name']);
  }
  expect((await scene.api.post('/components/configure', { reload: true })).body.details[0].path).toBe('id');
});
