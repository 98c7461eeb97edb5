import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Receiver } from '../support/receiver.ts';
import { ECHO, Scene, deployed } from '../support/scene.ts';
import { until } from '../support/until.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

/** Emits on `hooks` the name of every hook that runs, and its version. */
const HOOKS = (version: string, more = '') => `export default {
  name: 'Hooked', version: '${version}', props: { http: '$.interface.http', db: '$.service.db', tag: { type: 'string', default: 'a' } },
  hooks: {
    deploy() { this.$emit({ hook: 'deploy ${version}' }, { name: 'hooks' }); },
    activate() { this.$emit({ hook: 'activate ${version} ' + this.tag }, { name: 'hooks' }); },
    deactivate() { this.$emit({ hook: 'deactivate ${version} ' + this.tag }, { name: 'hooks' }); },
  },
  run() { const n = (this.db.get('n') ?? 0) + 1; this.db.set('n', n); this.$emit({ n, version: '${version}' }); },
  ${more}
};`;
const hooksOf = async (id: string, count: number) =>
  (await scene.eventsOf(id, count, { event_name: 'hooks' })).map(({ event }) => event.hook as string).reverse();

describe('create', () => {
  test('runs deploy, then activate, before it answers; name is the slug of the component', async () => {
    const source = await scene.source(HOOKS('1'));
    expect(await hooksOf(source.id, 2)).toEqual(['deploy 1', 'activate 1 a']);
    const name = source.data.name_slug;
    expect(source.data).toMatchObject({
      name,
      active: true,
      component_id: expect.stringMatching(/^sc_/),
      user_id: expect.stringMatching(/^u_/),
    });
    expect(name).toMatch(/^hooked(-\d+)?$/);
    expect(source.data.configured_props).toEqual({ http: { endpoint_url: source.endpoint }, tag: 'a' });
    expect((await scene.api.get(`/sources/${source.id}`)).body.data).toEqual(source.data);
  });

  test('ten concurrent creates get the ten smallest free slugs', async () => {
    const made = await Promise.all(
      Array.from({ length: 10 }, () => scene.source(ECHO, { name: 'Größe & Ähnliches!' })),
    );
    const slugs = made
      .map(({ data }) => data.name_slug as string)
      .sort((a, b) => a.length - b.length || a.localeCompare(b));
    const base = 'gro-e-a-hnliches';
    expect(slugs[0]).toMatch(/^[a-z0-9-]+$/);
    expect(new Set(slugs)).toEqual(
      new Set([slugs[0], ...Array.from({ length: 9 }, (_, index) => `${slugs[0]}-${index + 1}`)]),
    );
    expect(slugs[0]?.length).toBeGreaterThan(base.length - 4);
    expect(new Set(made.map(({ id }) => id)).size).toBe(10);
  });

  test('a hook that fails is 400 hook_failed with its message, and nothing is left behind', async () => {
    const total = async () => (await scene.api.get('/users/me/sources')).body.page_info.total_count as number;
    const before = await total();
    const response = await scene.api.post('/sources', {
      name: 'unlucky',
      component_code: `export default { name: 'X', version: '1', hooks: { activate() { throw new Error('no such account'); } }, run() {} }`,
    });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({
      code: 'hook_failed',
      error: expect.stringContaining('no such account'),
    });
    expect(await total()).toBe(before);
    expect((await scene.source(ECHO, { name: 'unlucky' })).data.name_slug).toBe('unlucky');
  });

  test('the endpoint is open while activate runs: with customResponse it answers immediately, without it waits behind the hooks', async () => {
    const code = (custom: boolean) => `export default {
      name: 'Checked', version: '1', props: { http: { type: '$.interface.http', customResponse: ${custom} } },
      hooks: { async activate() {
        const { status } = await fetch(this.http.endpoint + '/check', { method: 'POST' });
        this.$emit({ status }, { name: 'hooks' });
      } },
      run(event) { ${custom ? 'this.http.respond({ status: 299 });' : ''} this.$emit({ path: event.path }); },
    };`;
    const waiting = await scene.source(code(false));
    expect((await scene.eventsOf(waiting.id, 1, { event_name: 'hooks' }))[0]?.event).toEqual({ status: 200 });
    expect((await scene.eventsOf(waiting.id, 1))[0]?.event).toEqual({ path: '/check' });
    const answering = await scene.source(code(true));
    expect((await scene.eventsOf(answering.id, 1, { event_name: 'hooks' }))[0]?.event).toEqual({
      status: 299,
    });
  });

  test('a source with customResponse answers its first request after a restart', async () => {
    const source = await scene.source(`export default {
      name: 'Answers', version: '1', props: { http: { type: '$.interface.http', customResponse: true } },
      run() { this.http.respond({ status: 299 }); },
    };`);
    await scene.cloud.restart();
    expect((await scene.send(source.endpoint, {})).status).toBe(299);
  });

  test('unknown, wrong and null props: 400 that names them, null is unset', async () => {
    const code = `export default { name: 'P', version: '1', props: { text: { type: 'string', default: 'd' }, count: { type: 'integer', optional: true } }, run() {} }`;
    const unknown = await scene.api.post('/sources', {
      component_code: code,
      configured_props: { txet: 'a' },
    });
    expect([unknown.status, unknown.body.error]).toEqual([400, expect.stringMatching(/txet.*text.*count/)]);
    const wrong = await scene.api.post('/sources', {
      component_code: code,
      configured_props: { count: 'three' },
    });
    expect([wrong.status, wrong.body.details[0].path]).toEqual([400, 'configured_props.count']);
    const source = await scene.source(code, { configured_props: { text: null, count: 3 } });
    expect(source.data.configured_props).toEqual({ text: 'd', count: 3 });
  });
});

describe('update', () => {
  test('replacing code runs deactivate of the old, then activate of the new; id, db, events and endpoint stay', async () => {
    const source = await scene.source(HOOKS('1'));
    await scene.send(source.endpoint);
    await scene.eventsOf(source.id, 1);
    const { status, body } = await scene.api.put(`/sources/${source.id}`, { component_code: HOOKS('2') });
    expect(status).toBe(200);
    expect(deployed(body.data)).toMatchObject({ id: source.id, endpoint: source.endpoint });
    expect(body.data.component_id).not.toBe(source.data.component_id);
    expect(await hooksOf(source.id, 4)).toEqual(['deploy 1', 'activate 1 a', 'deactivate 1 a', 'activate 2 a']);
    await scene.send(source.endpoint);
    const events = await scene.eventsOf(source.id, 2);
    expect(events.map(({ event }) => event)).toEqual([
      { n: 2, version: '2' },
      { n: 1, version: '1' },
    ]);
  });

  test('props not named keep their value, and replacing props runs the hooks', async () => {
    const code = HOOKS('1').replace('tag: {', "other: { type: 'string', optional: true }, tag: {");
    const source = await scene.source(code, { configured_props: { tag: 'x', other: 'o' } });
    const { body } = await scene.api.put(`/sources/${source.id}`, { configured_props: { tag: 'y' } });
    expect(body.data.configured_props).toMatchObject({ tag: 'y', other: 'o' });
    expect(await hooksOf(source.id, 4)).toEqual(['deploy 1', 'activate 1 x', 'deactivate 1 x', 'activate 1 y']);
  });

  test('props that new code lacks are dropped', async () => {
    const source = await scene.source(HOOKS('1'), { configured_props: { tag: 'x' } });
    const { body } = await scene.api.put(`/sources/${source.id}`, { component_code: ECHO });
    expect(Object.keys(body.data.configured_props)).toEqual(['http']);
  });

  test('a PUT that changes neither code nor props nor active runs no hook; a new name makes a new slug', async () => {
    const source = await scene.source(HOOKS('1'));
    const { body } = await scene.api.put(`/sources/${source.id}`, { name: 'Entirely New' });
    expect(body.data).toMatchObject({ name: 'Entirely New', name_slug: 'entirely-new' });
    const again = await scene.api.put(`/sources/${source.id}`, {
      component_id: source.data.component_id,
      configured_props: source.data.configured_props,
      active: true,
    });
    expect(again.status).toBe(200);
    await scene.send(source.endpoint);
    await scene.eventsOf(source.id, 1);
    expect(await hooksOf(source.id, 2)).toHaveLength(2);
  });

  test('active false runs deactivate and closes the endpoint within 5 s; a PUT with a selector enables it again and runs activate', async () => {
    const source = await scene.source(HOOKS('1'));
    const off = await scene.api.put(`/sources/${source.id}`, { active: false });
    expect(off.body.data.active).toBe(false);
    expect((await hooksOf(source.id, 3)).at(-1)).toBe('deactivate 1 a');
    await until('the endpoint is closed', async () => (await scene.send(source.endpoint)).status === 404);
    const { component_id } = source.data;
    const on = await scene.api.put(`/sources/${source.id}`, { component_id });
    expect(on.body.data.active).toBe(true);
    expect((await hooksOf(source.id, 4)).at(-1)).toBe('activate 1 a');
    await until('the endpoint is open', async () => (await scene.send(source.endpoint)).status === 200);
  });

  test('a failing deactivate is reported on $errors and blocks nothing', async () => {
    const source = await scene.source(
      HOOKS('1').replace('deactivate() {', "deactivate() { throw new Error('cannot'); "),
    );
    const { status } = await scene.api.put(`/sources/${source.id}`, { component_code: HOOKS('2') });
    expect(status).toBe(200);
    expect((await hooksOf(source.id, 3)).at(-1)).toBe('activate 2 a');
    const [error] = await scene.errorsOf(source.id);
    expect(error?.event.original_context.source_type).toBe('hook');
    expect(JSON.stringify(error?.event.error)).toContain('cannot');
  });

  test('a body without selector, name, configured_props and active is 400', async () => {
    const source = await scene.source(ECHO);
    expect((await scene.api.put(`/sources/${source.id}`, {})).status).toBe(400);
    expect((await scene.api.put(`/sources/${source.id}`, { org_id: 'o' })).status).toBe(400);
  });

  test('ten concurrent updates run one after the other, each whole', async () => {
    const source = await scene.source(HOOKS('1'));
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        scene.api.put(`/sources/${source.id}`, { configured_props: { tag: `t${index}` } }),
      ),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    const [, ...hooks] = await hooksOf(source.id, 22);
    // activate x, deactivate x, activate y, deactivate y …
    const tags = hooks.map((hook) => hook.split(' '));
    for (let at = 0; at + 2 < tags.length; at += 2) {
      expect([tags[at]?.[0], tags[at + 1]?.[0]]).toEqual(['activate', 'deactivate']);
      expect(tags[at + 1]?.[2]).toBe(tags[at]?.[2]);
    }
    const shown = (await scene.api.get(`/sources/${source.id}`)).body.data;
    expect(shown.configured_props.tag).toBe(tags.at(-1)?.[2]);
  });
});

describe('delete', () => {
  test('no reader sees the source afterwards; then deactivate runs, and subscriptions and endpoint are deleted', async () => {
    const provider = await scene.webhook();
    const source = await scene.source(`export default {
      name: 'Registered', version: '1', props: { http: '$.interface.http' },
      hooks: { async deactivate() { await fetch('${provider.receiver.url}', { method: 'POST', body: '"unregistered"' }); } },
      run() { this.$emit({}); },
    };`);
    const id = await scene.subscribe(source.id, provider.id);
    const response = await scene.api.delete(`/sources/${source.id}`);
    expect([response.status, response.text]).toEqual([204, '']);
    expect((await scene.api.get(`/sources/${source.id}`)).status).toBe(404);
    expect((await scene.api.get(`/sources/${source.id}/event_summaries`)).status).toBe(404);
    expect((await scene.api.put(`/sources/${source.id}`, { name: 'x' })).status).toBe(404);
    expect((await scene.api.post(`/sources/${source.id}/run`, {})).status).toBe(404);
    const { body } = await scene.api.get('/users/me/sources', { limit: 100 });
    expect(body.data.map((one: { id: string }) => one.id)).not.toContain(source.id);
    await until('the endpoint is closed', async () => (await scene.send(source.endpoint)).status === 404);
    await until('deactivate ran', () => provider.receiver.received.length > 0);
    expect(provider.receiver.bodies).toEqual(['unregistered']);
    await until('its subscriptions are gone', async () => {
      const left = (await scene.api.get('/users/me/subscriptions')).body.data as { id: string }[];
      return !left.some((one) => one.id === id);
    });
  });

  test('triggers accepted before the delete still run, and deactivate runs after them', async () => {
    const upstream = await Receiver.start();
    onTestFinished(() => upstream.stop());
    upstream.respond = (index) => (index === 0 ? { status: 200, afterMs: 1_000 } : { status: 200 });
    const source =
      await scene.source(`const tell = (what) => fetch('${upstream.url}', { method: 'POST', body: JSON.stringify(what) });
      export default { name: 'Slow', version: '1', props: { http: '$.interface.http' },
        hooks: { async deactivate() { await tell('deactivate'); } },
        async run({ body }) { await tell(body.n); } };`);
    for (const n of [1, 2, 3]) expect((await scene.send(source.endpoint, { n })).status).toBe(200);
    await until('the first one runs', () => upstream.received.length > 0);
    expect((await scene.api.delete(`/sources/${source.id}`)).status).toBe(204);
    await until('it was deactivated', () => upstream.bodies.includes('deactivate'));
    expect(upstream.bodies).toEqual([1, 2, 3, 'deactivate']);
  });

  test('ten concurrent deletes: at least one is 204, the others 404', async () => {
    const source = await scene.source(ECHO);
    const statuses = (
      await Promise.all(Array.from({ length: 10 }, () => scene.api.delete(`/sources/${source.id}`)))
    ).map(({ status }) => status);
    expect(statuses).toContain(204);
    expect(statuses.filter((status) => status !== 204 && status !== 404)).toEqual([]);
  });
});

describe('ten times concurrently', () => {
  test('the same component ten times makes one, different ones ten', async () => {
    const code = `export default { name: 'Same', version: '1', key: 'same-at-once', run() {} }`;
    const same = await Promise.all(
      Array.from({ length: 10 }, () => scene.api.post('/components', { component_code: code })),
    );
    expect(new Set(same.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(same.map(({ body }) => body.data.id)).size).toBe(1);
  });

  test('the same subscription makes one; deleting it ten times is 204 or 404', async () => {
    const source = await scene.source(ECHO);
    const hook = await scene.webhook();
    const ids = await Promise.all(Array.from({ length: 10 }, () => scene.subscribe(source.id, hook.id, 'x')));
    expect(new Set(ids).size).toBe(1);
    const query = { emitter_id: source.id, listener_id: hook.id, event_name: 'x' };
    const statuses = (
      await Promise.all(Array.from({ length: 10 }, () => scene.api.delete('/subscriptions', query)))
    ).map(({ status }) => status);
    expect(statuses).toContain(204);
    expect(statuses.filter((status) => status !== 204 && status !== 404)).toEqual([]);
    const left = (await scene.api.get('/users/me/subscriptions')).body.data as { listener_id: string }[];
    expect(left.filter((one) => one.listener_id === hook.id)).toEqual([]);
  });

  test('the same auto-subscription makes one; deleting it ten times is 204 or 404', async () => {
    const hook = await scene.webhook();
    const query = { event_name: 'rare', listener_id: hook.id };
    const made = await Promise.all(
      Array.from({ length: 10 }, () => scene.api.post('/auto_subscriptions', undefined, { query })),
    );
    expect(new Set(made.map(({ body }) => body.data.id)).size).toBe(1);
    const statuses = (
      await Promise.all(Array.from({ length: 10 }, () => scene.api.delete('/auto_subscriptions', query)))
    ).map(({ status }) => status);
    expect(statuses).toContain(204);
    expect(statuses.filter((status) => status !== 204 && status !== 404)).toEqual([]);
  });

  test('ten webhooks are ten; ten updates of one leave one of them; ten deletes are 204 or 404', async () => {
    const hooks = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        scene.api.post('/webhooks', undefined, { query: { url: `http://example.com/${n}` } }),
      ),
    );
    expect(new Set(hooks.map(({ body }) => body.data.id)).size).toBe(10);
    const id = hooks[0]?.body.data.id as string;
    const updates = await Promise.all(
      Array.from({ length: 10 }, (_, n) => scene.api.put(`/webhooks/${id}`, { name: `n${n}`, description: `d${n}` })),
    );
    expect(new Set(updates.map(({ status }) => status))).toEqual(new Set([200]));
    const { name, description } = (await scene.api.get(`/webhooks/${id}`)).body.data;
    expect(description).toBe(name.replace('n', 'd'));
    const statuses = (await Promise.all(Array.from({ length: 10 }, () => scene.api.delete(`/webhooks/${id}`)))).map(
      ({ status }) => status,
    );
    expect(statuses).toContain(204);
    expect(statuses.filter((status) => status !== 204 && status !== 404)).toEqual([]);
  });

  test('ten deletions of events, and ten runs by hand', async () => {
    const source = await scene.source(ECHO);
    const runs = await Promise.all(
      Array.from({ length: 10 }, (_, n) => scene.api.post(`/sources/${source.id}/run`, { n })),
    );
    expect(new Set(runs.map(({ body }) => body.data.id)).size).toBe(10);
    await scene.eventsOf(source.id, 10);
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => scene.api.delete(`/sources/${source.id}/events`)),
    );
    expect(new Set(responses.map(({ status, body }) => `${status} ${JSON.stringify(body)}`))).toEqual(
      new Set(['202 {"data":{}}']),
    );
    await until('they are deleted', async () => (await scene.events(source.id)).length === 0);
  });
});
