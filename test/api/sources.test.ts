import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../support/api-client.ts';
import { startTestCloud, type TestCloud } from '../support/cloud.ts';
import { echoComponent } from '../support/components.ts';
import { aUser } from '../support/stores.ts';
import { until } from '../support/until.ts';

let cloud: TestCloud;
let api: ApiClient;
let other: ApiClient;
beforeAll(async () => {
  cloud = await startTestCloud();
  api = await apiClient(cloud.base, cloud.key);
  other = api.as((await aUser(cloud)).key);
});
afterAll(() => cloud.stop());

/** A component without interfaces; `props` and `hooks` as code. */
const component = ({ name = 'Plain', props = '{}', hooks = '{}', body = '' } = {}) =>
  `export default { name: ${JSON.stringify(name)}, version: '0.0.1', props: ${props}, hooks: ${hooks}, run(event) { ${body} } };`;
const create = (code: string, more: object = {}) => api.post('/sources', { component_code: code, ...more });
const summaries = async (id: string, query: Record<string, string | number> = {}) =>
  (await api.get(`/sources/${id}/event_summaries`, query)).body.data;

describe('POST /sources', () => {
  test('deploys code; name and slug come from the component', async () => {
    const { status, body } = await api.post('/sources/', {
      component_code: echoComponent({ name: 'Bar HTTP', key: 'bar' }),
    });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ active: true, name: 'bar-http', name_slug: 'bar-http' });
    expect(Object.keys(body.data).sort()).toEqual(
      'id user_id component_id configured_props active endpoint tags created_at updated_at name name_slug endpoint_url sse_url waiting oldest_waiting_ms'
        .split(' ')
        .sort(),
    );
    expect(body.data.configured_props).toEqual({
      http: { endpoint_url: expect.stringMatching(new RegExp(`^${cloud.ingress}/[0-9a-f]{32}$`)) as string },
    });
    expect((await api.get(`/sources/${body.data.id}`)).body).toEqual(body);
  });

  test('component_id is preferred, losing selectors are neither fetched nor built', async () => {
    const { body } = await api.post('/components', { component_code: component({ name: 'Chosen' }) });
    const response = await api.post('/sources', {
      component_id: body.data.id,
      component_code: 'nonsense(',
      component_url: 'http://127.0.0.1:9/never',
    });
    expect(response.body.data).toMatchObject({ component_id: body.data.id, name: 'chosen' });
  });

  test.each([
    [{}, 'component_id is required unless component_code, component_url or key is given.'],
    [{ component_id: 'dc_x' }, 'component_id must be the id of a component (sc_…).'],
    [{ component_code: 5 }, 'component_code must be a string.'],
    [{ component_code: 'x', name: 7 }, 'name must be a string.'],
    [{ component_code: 'x', name: 'y'.repeat(256) }, 'name must have at most 255 characters.'],
    [{ component_code: 'x', name: 'a\0b' }, 'name must not contain a NUL character.'],
    [{ component_code: 'x', name: '\ud800' }, 'name must not contain half of a surrogate pair.'],
    [{ component_code: 'x', configured_props: [] }, 'configured_props must be an object.'],
    [{ component_code: 'x', configured_props: 'y' }, 'configured_props must be an object.'],
  ])('%j is 400', async (body, error) => {
    const response = await api.post('/sources', body);
    expect([response.status, response.body.error]).toEqual([400, error]);
  });

  test("an unknown component, and another user's, is 404", async () => {
    const { body } = await api.post('/components', { component_code: component() });
    expect((await other.post('/sources', { component_id: body.data.id })).status).toBe(404);
    expect((await api.post('/sources', { component_id: 'sc_never' })).status).toBe(404);
  });

  test('configured_props: defaults are shown, null is unset, db and props without a value are not shown', async () => {
    const code = component({
      props: `{
        db: '$.service.db', text: 'string', many: { type: 'string[]', default: ['a'] },
        n: { type: 'integer', default: 3 }, secret: { type: 'string', secret: true, optional: true },
        app: { type: 'app', app: 'slack' }, flag: { type: 'boolean', default: true },
      }`,
    });
    const { body } = await create(code, { configured_props: { text: 'x', n: null, secret: 's' } });
    expect(body.data.configured_props).toEqual({ text: 'x', many: ['a'], n: 3, secret: 's', flag: true });
  });

  test('an unknown prop is 400 and the message lists the known ones; wrong types name the prop', async () => {
    const code = component({ props: `{ text: 'string', n: { type: 'integer', max: 5 }, l: 'integer[]' }` });
    const unknown = await create(code, { configured_props: { nope: 1 } });
    expect([unknown.status, unknown.body.error]).toEqual([
      400,
      'configured_props.nope is no prop of this component; it has text, n, l.',
    ]);
    const wrong = await create(code, { configured_props: { text: 1, n: 6, l: [1, 'x'] } });
    expect(wrong.body.details).toEqual([
      { path: 'configured_props.text', message: 'must be a string' },
      { path: 'configured_props.n', message: 'must be at most 5' },
      { path: 'configured_props.l', message: 'has an element 1 that must be an integer' },
    ]);
    expect((await create(code, { configured_props: { constructor: 1 } })).status).toBe(400);
  });

  const timer = (value: string) => component({ props: `{ timer: { type: '$.interface.timer'${value} } }` });
  test.each([
    ['', undefined, { interval_seconds: 3_600, cron: null }],
    [', default: { intervalSeconds: 900 }', undefined, { interval_seconds: 900, cron: null }],
    [', default: { cron: "0 9 * * 1-5" }', undefined, { interval_seconds: null, cron: '0 9 * * 1-5' }],
    [', default: { intervalSeconds: 900 }', {}, { interval_seconds: 900, cron: null }],
    [
      ', default: { intervalSeconds: 900 }',
      { interval_seconds: null, cron: null },
      { interval_seconds: 900, cron: null },
    ],
    ['', { interval_seconds: 15 }, { interval_seconds: 15, cron: null }],
    ['', { intervalSeconds: 60, cron: null }, { interval_seconds: 60, cron: null }],
    ['', { cron: '*/5 * * * *' }, { interval_seconds: null, cron: '*/5 * * * *' }],
    [
      '',
      { interval_seconds: null, cron: '0 0 1 * *', timezone: 'Europe/Berlin' },
      { interval_seconds: null, cron: '0 0 1 * *', timezone: 'Europe/Berlin' },
    ],
  ])('a timer with the default %j given %j is shown as %j, which can be sent back', async (fallback, value, shown) => {
    const { body } = await create(timer(fallback), {
      configured_props: value === undefined ? {} : { timer: value },
    });
    expect(body.data.configured_props).toEqual({ timer: shown });
    const again = await api.put(`/sources/${body.data.id}`, {
      configured_props: body.data.configured_props,
    });
    expect(again.body.data.configured_props).toEqual({ timer: shown });
  });

  test('a source shows its timer with the time of the next run, alone and in the list', async () => {
    const before = Date.now();
    const made = await create(timer(''), { configured_props: { timer: { interval_seconds: 900 } } });
    const { id, timer: shown } = made.body.data;
    expect(shown).toMatchObject({ interval_seconds: 900, cron: null });
    expect(shown.next_run_ms - before).toBeGreaterThanOrEqual(900_000);
    expect(shown.next_run_ms - Date.now()).toBeLessThanOrEqual(900_000);
    const [listed] = (await api.get('/users/me/sources', { q: id })).body.data;
    expect(listed.timer).toEqual(shown);
    const cron = { cron: '0 6 * * *', timezone: 'Asia/Kolkata' };
    const changed = await api.put(`/sources/${id}`, { configured_props: { timer: cron } });
    expect(changed.body.data.timer).toMatchObject({ interval_seconds: null, ...cron });
    expect(new Date(changed.body.data.timer.next_run_ms).toISOString()).toMatch(/T00:30:00\.000Z$/);
    const off = await api.put(`/sources/${id}`, { active: false });
    expect(off.body.data.timer).toMatchObject({ ...cron, next_run_ms: null });
  });

  test.each([
    [{ interval_seconds: 14 }],
    [{ interval_seconds: 60, cron: '* * * * *' }],
    [{ interval_seconds: '60' }],
    [{ interval_seconds: 15.5 }],
    [{ cron: '* * * *' }],
    [{ cron: '61 * * * *' }],
    [{ cron: '0 0 1 * 1' }],
    [{ cron: '* * * * *', timezone: 'Nowhere/Land' }],
    ['60'],
    [60],
  ])('the timer value %j is 400 naming the prop', async (value) => {
    const { status, body } = await create(timer(''), { configured_props: { timer: value } });
    expect([status, body.details[0].path]).toEqual([400, 'configured_props.timer']);
  });

  test('a hook that fails fails the create, and nothing is left behind', async () => {
    const before = (await api.get('/users/me/sources')).body.page_info.total_count;
    const code = component({
      name: 'Failing',
      hooks: '{ activate() { throw new Error("no webhook for you"); } }',
    });
    const { status, body } = await create(code);
    expect([status, body.code]).toEqual([400, 'hook_failed']);
    expect(body.error).toContain('no webhook for you');
    expect((await api.get('/users/me/sources')).body.page_info.total_count).toBe(before);
    // Its slug is free again.
    expect((await create(component({ name: 'Failing' }))).body.data.name_slug).toBe('failing');
  });

  test('events of deploy are readable when POST answers', async () => {
    const code = component({
      name: 'Deploying',
      hooks: '{ async deploy() { this.$emit({ hello: "world" }, { summary: "s" }); } }',
    });
    const { body } = await create(code);
    const [event] = await summaries(body.data.id);
    expect(event).toMatchObject({
      event: { hello: 'world' },
      metadata: { summary: 's', name: '', emitter_id: body.data.id },
    });
  });

  test('ten concurrent creates get the ten smallest free slugs', async () => {
    const code = component({ name: 'Slugs' });
    const responses = await Promise.all(Array.from({ length: 10 }, () => create(code, { name: 'Same Náme' })));
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(responses.map(({ body }) => body.data.name_slug).sort()).toEqual(
      ['', '-1', '-2', '-3', '-4', '-5', '-6', '-7', '-8', '-9'].map((suffix) => `same-na-me${suffix}`),
    );
    const [first] = responses;
    await api.delete(`/sources/${first?.body.data.id}`);
    const slug = first?.body.data.name_slug;
    expect((await create(code, { name: 'Same Náme' })).body.data.name_slug).toBe(slug);
  });
});

describe('PUT /sources/{id}', () => {
  const traced = (name: string) =>
    component({
      name,
      props: `{ db: '$.service.db', p: { type: 'string', default: 'd' }, ${name}: { type: 'string', optional: true } }`,
      hooks: `{ activate() { this.$emit({ hook: 'activate ${name} ' + this.p }); }, deactivate() { this.$emit({ hook: 'deactivate ${name}' }); } }`,
    });
  const hooks = async (id: string) =>
    (await summaries(id, { limit: 100 })).map(({ event }: { event: { hook: string } }) => event.hook).reverse();

  test('replacing code runs deactivate of the old and activate of the new; props not named keep their value', async () => {
    const { body } = await create(traced('old'), { configured_props: { p: 'mine', old: 'x' } });
    const { id } = body.data;
    const { status, body: put } = await api.put(`/sources/${id}`, { component_code: traced('new') });
    expect(status).toBe(200);
    expect(put.data).toMatchObject({ id, name: 'old', active: true, configured_props: { p: 'mine' } });
    expect(put.data.component_id).not.toBe(body.data.component_id);
    expect(await hooks(id)).toEqual(['activate old mine', 'deactivate old', 'activate new mine']);
  });

  test('an update of neither code nor props nor active runs no hook', async () => {
    const { body } = await create(traced('same'));
    const { id } = body.data;
    const renamed = await api.put(`/sources/${id}`, { name: 'Renamed Source' });
    expect(renamed.body.data).toMatchObject({ name: 'Renamed Source', name_slug: 'renamed-source' });
    await api.put(`/sources/${id}`, {
      component_code: traced('same'),
      configured_props: { p: 'd' },
      active: true,
    });
    expect(await hooks(id)).toEqual(['activate same d']);
  });

  test('active false runs deactivate, true again activate; its default with a selector is true', async () => {
    const { body } = await create(traced('toggled'));
    const { id } = body.data;
    expect((await api.put(`/sources/${id}`, { active: false })).body.data.active).toBe(false);
    expect((await api.get(`/sources/${id}`)).body.data.active).toBe(false);
    const { component_id } = body.data;
    expect((await api.put(`/sources/${id}`, { component_id })).body.data.active).toBe(true);
    expect(await hooks(id)).toEqual(['activate toggled d', 'deactivate toggled', 'activate toggled d']);
  });

  test('null unsets a prop', async () => {
    const { body } = await create(traced('unset'), { configured_props: { p: 'mine', unset: 'x' } });
    const { body: put } = await api.put(`/sources/${body.data.id}`, {
      configured_props: { p: null, unset: null },
    });
    expect(put.data.configured_props).toEqual({ p: 'd' });
  });

  test.each([[{}], [{ include: 'id' }], [{ active: 'yes' }], [{ active: null }], [{ configured_props: { nope: 1 } }]])(
    '%j is 400',
    async (body) => {
      const { body: made } = await create(component());
      expect((await api.put(`/sources/${made.data.id}`, body)).status).toBe(400);
    },
  );

  test('a failing deactivate is reported on $errors and blocks nothing', async () => {
    const code = component({ name: 'Stubborn', hooks: '{ deactivate() { throw new Error("never"); } }' });
    const { body } = await create(code);
    const { id } = body.data;
    expect((await api.put(`/sources/${id}`, { active: false })).body.data.active).toBe(false);
    const errors = await until('an error event', async () => {
      const found = await summaries(id, { event_name: '$errors' });
      return found.length > 0 && found;
    });
    expect(errors[0].event.error).toMatchObject({ message: 'never' });
  });

  test('ten concurrent updates run one after the other, and all answer', async () => {
    const { body } = await create(traced('many'));
    const { id } = body.data;
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, n) => api.put(`/sources/${id}`, { configured_props: { p: `v${n}` } })),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    const ran = await hooks(id);
    expect(ran).toHaveLength(21);
    expect(ran.filter((_: string, n: number) => n % 2 === 1)).toEqual(
      Array.from({ length: 10 }, () => 'deactivate many'),
    );
    const last = (await api.get(`/sources/${id}`)).body.data.configured_props.p;
    expect(ran.at(-1)).toBe(`activate many ${last}`);
  });
});

describe('DELETE /sources/{id}', () => {
  test('is 204 without a body; no reader sees the source afterwards; a repeat is 404', async () => {
    const { body } = await create(echoComponent({ name: 'Gone' }));
    const { id, configured_props: props } = body.data;
    const deleted = await api.delete(`/sources/${id}`);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    for (const path of ['', '/event_summaries', '/events']) {
      expect((await api.get(`/sources/${id}${path}`)).status).toBe(404);
    }
    expect((await api.put(`/sources/${id}`, { name: 'x' })).status).toBe(404);
    expect((await api.delete(`/sources/${id}`)).status).toBe(404);
    const listed = (await api.get('/users/me/sources', { limit: 100 })).body.data;
    expect(listed.map((source: { id: string }) => source.id)).not.toContain(id);
    await until('the endpoint is closed', async () => (await fetch(props.http.endpoint_url)).status === 404);
  });

  test('ten concurrent deletes: at least one is 204, the others 404', async () => {
    const { body } = await create(component({ name: 'Ten deletes' }));
    const responses = await Promise.all(Array.from({ length: 10 }, () => api.delete(`/sources/${body.data.id}`)));
    const statuses = responses.map(({ status }) => status);
    expect(statuses).toContain(204);
    expect(statuses.filter((status) => status !== 204 && status !== 404)).toEqual([]);
  });
});

test('an endpoint cannot be an origin without a wildcard host, on create and on update, and the message names the settings', async () => {
  const { id } = (await create(component())).body.data;
  for (const { status, body } of [
    await create(component(), { endpoint: 'origin' }),
    await api.put(`/sources/${id}`, { endpoint: 'origin' }),
  ]) {
    expect([status, body.details[0].path]).toEqual([400, 'endpoint']);
    expect(body.error).toMatch(/PUBLIC_URL.*domain\.ingress/);
  }
  expect((await api.put(`/sources/${id}`, { endpoint: 'path' })).status).toBe(200);
});

test("another user's source is 404 everywhere, an id of another kind 400 that says which are allowed", async () => {
  const { body } = await create(component({ name: 'Mine' }));
  const calls = (id: string) => [
    other.get(`/sources/${id}`),
    other.put(`/sources/${id}`, { name: 'x' }),
    other.call('DELETE', `/sources/${id}`),
    other.get(`/sources/${id}/event_summaries`),
    other.get(`/sources/${id}/events`),
    other.call('DELETE', `/sources/${id}/events`),
    other.post(`/sources/${id}/run`, {}),
    other.get(`/sources/${id}/runs/api-1`),
  ];
  for (const { status } of await Promise.all(calls(body.data.id))) expect(status).toBe(404);
  for (const response of await Promise.all(calls('wh_abc'))) {
    expect([response.status, response.body.error]).toEqual([400, 'id must be the id of a source (dc_…).']);
  }
});

describe('POST /sources/{id}/run', () => {
  test('the body is the event, kept as its text', async () => {
    const { body } = await create(component({ name: 'Runner', body: 'this.$emit(event);' }));
    const { id } = body.data;
    const raw = '{"b":1,"a":{"__proto__":1,"10":1,"9":2},"include":"x","big":1e400}';
    const { status, body: run } = await api.call('POST', `/sources/${id}/run`, { raw });
    expect(status).toBe(200);
    expect(run).toEqual({ data: { id: expect.any(String) as string } });
    const [event] = await until('the event', async () => {
      const found = await summaries(id);
      return found.length > 0 && found;
    });
    expect(Object.keys(event.event)).toEqual(['b', 'a', 'include', 'big']);
  });

  test('without a body a timer source gets a timer event, others {}', async () => {
    const body = 'this.$emit(event);';
    const timed = await create(component({ name: 'Timed', props: `{ t: '$.interface.timer' }`, body }));
    const plain = await create(component({ name: 'Untimed', body }));
    await api.post(`/sources/${timed.body.data.id}/run`);
    await api.post(`/sources/${plain.body.data.id}/run`);
    const eventOf = (id: string) => until('an event', async () => (await summaries(id))[0]?.event as unknown);
    expect(await eventOf(timed.body.data.id)).toEqual({
      timestamp: expect.any(Number) as number,
      interval_seconds: 3_600,
    });
    expect(await eventOf(plain.body.data.id)).toEqual({});
  });

  describe('of a source with an HTTP interface', () => {
    const emitting = async (props = `{ http: '$.interface.http' }`) =>
      (await create(component({ name: 'Requested', props, body: 'this.$emit(event);' }))).body.data;
    const eventOf = async (id: string, event?: object) => {
      await api.post(`/sources/${id}/run`, event);
      return until('the event', async () => {
        const [found] = await summaries(id, { expand: 'event' });
        return found?.event as Record<string, unknown> | undefined;
      });
    };

    test('without a body is the event of a POST of {}, like one at the endpoint', async () => {
      const { id, endpoint_url: endpoint } = await emitting();
      const event = await eventOf(id);
      const headers = {
        'content-type': 'application/json',
        'content-length': '2',
        host: new URL(endpoint).host,
      };
      expect(event).toEqual({
        method: 'POST',
        path: '/',
        query: {},
        url: endpoint,
        client_ip: '127.0.0.1',
        headers,
        bodyRaw: '{}',
        body: {},
      });
      await fetch(endpoint, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
      const sent = await until('the request', async () => {
        const found = await summaries(id, { expand: 'event' });
        return found.length > 1 && found[0].event;
      });
      expect({ ...sent, headers }).toEqual(event);
    });

    test.each([
      { n: 1, __proto__: null, nested: { list: [1] } },
      { method: 'GET' },
      { headers: {} },
      JSON.parse('{"__proto__": {"method": "GET", "headers": {}}}') as object,
    ])('with %j has it as the body of the event', async (body) => {
      const event = await eventOf((await emitting()).id, body);
      expect(event).toMatchObject({ method: 'POST', body, bodyRaw: JSON.stringify(body) });
    });

    test('with method and headers has the body as its event', async () => {
      const body = { method: 'PUT', headers: { 'x-own': '1' }, body: 'text' };
      expect(await eventOf((await emitting()).id, body)).toEqual(body);
    });

    test('that also has a timer gets a timer event without a body', async () => {
      const { id } = await emitting(`{ http: '$.interface.http', t: '$.interface.timer' }`);
      expect(await eventOf(id)).toHaveProperty('timestamp');
    });

    test('for an app gets the body alone, as at its endpoint', async () => {
      const { id } = await emitting(`{ hook: { type: '$.interface.apphook', eventNames: ['a'] } }`);
      expect(await eventOf(id, { n: 1 })).toEqual({ n: 1 });
    });
  });
});

describe('GET /sources/{id}/runs/{trigger_id}', () => {
  const running = async (id: string, event?: object): Promise<string> =>
    (await api.post(`/sources/${id}/run`, event)).body.data.id;
  const ended = (id: string, trigger: string) =>
    until('the run has ended', async () => {
      const { data } = (await api.get(`/sources/${id}/runs/${trigger}`)).body;
      return data.ended_at_ms !== null && data;
    });

  test('tells of a run from the moment that POST has answered', async () => {
    const body = 'this.$emit(event); this.$emit(event, { name: "other" }); console.log("a line");';
    const { id } = (await create(component({ name: 'Told', body }))).body.data;
    const before = Date.now();
    const trigger = await running(id);
    const first = (await api.get(`/sources/${id}/runs/${trigger}`)).body.data;
    expect(['waiting', 'running', 'done']).toContain(first.state);
    expect(first.received_at_ms).toBeGreaterThanOrEqual(before);
    const run = await ended(id, trigger);
    expect(run).toEqual({
      id: trigger,
      state: 'done',
      received_at_ms: first.received_at_ms,
      started_at_ms: expect.any(Number) as number,
      ended_at_ms: expect.any(Number) as number,
      emitted: 2,
      error: null,
    });
    expect(run.started_at_ms).toBeGreaterThanOrEqual(run.received_at_ms);
    expect(run.ended_at_ms).toBeGreaterThanOrEqual(run.started_at_ms);
    expect((await summaries(id))[0].event).toEqual({});
  });

  test('says why a run failed', async () => {
    const body = 'throw Object.assign(new Error("no luck"), { code: "E_LUCK" });';
    const { id } = (await create(component({ name: 'Unlucky', body }))).body.data;
    const run = await ended(id, await running(id));
    expect(run).toMatchObject({ state: 'failed', emitted: 0, error: { code: 'E_LUCK', message: 'no luck' } });
  });

  test('finds requests to an endpoint by the run_id of their logs', async () => {
    const props = `{ http: '$.interface.http' }`;
    const { id, endpoint_url: endpoint } = (
      await create(component({ name: 'Logged', props, body: 'console.log("a line");' }))
    ).body.data;
    await fetch(endpoint, { method: 'POST' });
    const [log] = await until('the log', async () => {
      const found = await summaries(id, { event_name: '$logs' });
      return found.length > 0 && found;
    });
    expect((await ended(id, log.event.run_id)).state).toBe('done');
  });

  test.each(['api-0', 'x', '%2F', '%23', '__proto__', 'a'.repeat(2_000)])(
    'an unknown trigger %s is a 404',
    async (trigger) => {
      const { id } = (await create(component({ name: 'Never' }))).body.data;
      const { status, body } = await api.get(`/sources/${id}/runs/${trigger}`);
      expect([status, body.code]).toEqual([404, 'not_found']);
    },
  );

  test('a run of another source, or of a deleted one, is a 404', async () => {
    const { id } = (await create(component({ name: 'One' }))).body.data;
    const another = (await create(component({ name: 'Another' }))).body.data;
    const trigger = await running(id);
    await ended(id, trigger);
    expect((await api.get(`/sources/${another.id}/runs/${trigger}`)).status).toBe(404);
    await api.call('DELETE', `/sources/${id}`);
    expect((await api.get(`/sources/${id}/runs/${trigger}`)).status).toBe(404);
  });
});

describe('DELETE /sources/{id}/dedupe', () => {
  const greatest = `export default { name: 'Greatest', version: '0.0.1', dedupe: 'greatest', props: { http: '$.interface.http' },
    run({ body }) { this.$emit(body, { id: body.id }); } };`;

  test('lets a source emit ids again, after everything that was accepted before', async () => {
    const { id, endpoint_url: endpoint } = (await create(greatest)).body.data;
    const send = (number: number) =>
      fetch(endpoint, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ id: number }),
      });
    for (const number of [1_000, 2, 3]) await send(number);
    expect(await api.call('DELETE', `/sources/${id}/dedupe`)).toMatchObject({
      status: 202,
      body: { data: {} },
    });
    await send(4);
    const emitted = await until('the event after the reset', async () => {
      const found = await summaries(id);
      return found.length > 1 && found;
    });
    expect(emitted.map(({ event }: { event: { id: number } }) => event.id)).toEqual([4, 1_000]);
  });

  test('is 404 for the source of somebody else, and for one that does not exist', async () => {
    const { id } = (await create(greatest)).body.data;
    const { key } = await aUser(cloud);
    expect((await api.as(key).call('DELETE', `/sources/${id}/dedupe`)).status).toBe(404);
    expect((await api.call('DELETE', '/sources/dc_0000000/dedupe')).status).toBe(404);
  });
});
