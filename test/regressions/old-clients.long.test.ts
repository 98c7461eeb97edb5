import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operator } from '../support/operator.ts';
import { PASS, Scene } from '../support/scene.ts';

/** Requests as the original's tutorials and clients send them. */

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

const component = (key: string, name: string) =>
  `export default { key: '${key}', name: '${name}', version: '0.0.1', props: { http: '$.interface.http' }, run() {} };`;
const save = async (code: string) =>
  (await scene.api.post('/components', { component_code: code })).body.data.id as string;

describe('a source from the key of a component', () => {
  test("is made of the caller's newest with this key, else of the registry's", async () => {
    await save(component('http-new-requests', 'Older'));
    const newest = await save(component('http-new-requests', 'Newer'));
    const { status, body } = await scene.api.post('/sources', { key: 'http-new-requests', name: 'mine' });
    expect([status, body.data?.component_id ?? body.error]).toEqual([200, newest]);

    const published = await save(component('published-one', 'Published'));
    await operator(scene.cloud)('components publish', { id: published });
    const { api_key: key } = await operator(scene.cloud)<{ api_key: string }>('users create', {
      username: 'reader',
      email: 'reader@localhost',
    });
    const other = scene.api.as(key);
    expect((await other.post('/sources', { key: 'published-one' })).body.data.component_id).toBe(published);
    expect(await other.post('/sources', { key: 'http-new-requests' })).toMatchObject({
      status: 404,
      body: { error: 'There is no component with the key http-new-requests.' },
    });
  });

  test('loses against the other selectors', async () => {
    const id = await save(component('selected-by-id', 'By id'));
    await save(component('selected-by-key', 'By key'));
    const byId = await scene.api.post('/sources', { component_id: id, key: 'selected-by-key' });
    expect(byId.body.data.component_id).toBe(id);
    const byCode = await scene.api.post('/sources', {
      component_code: component('selected-by-id', 'By id'),
      key: 'selected-by-key',
    });
    expect(byCode.body.data.component_id).toBe(id);
  });

  test('switches on a source in an update, as every selector does', async () => {
    const { id } = await scene.source(PASS);
    await scene.api.put(`/sources/${id}`, { active: false });
    const wanted = await save(component('switched', 'Switched'));
    const { body } = await scene.api.put(`/sources/${id}`, { key: 'switched' });
    expect(body.data).toMatchObject({ component_id: wanted, active: true });
    expect((await scene.api.put(`/sources/${id}`, { key: 'nowhere' })).status).toBe(404);
    expect((await scene.api.put(`/sources/${id}`, { key: 'x'.repeat(256) })).status).toBe(400);
  });
});

describe('GET /sources/{id}/events', () => {
  test('takes n: the newest n, newest first, 10 without', async () => {
    const { id, endpoint } = await scene.source(
      `export default { name: 'E', version: '1', props: { http: '$.interface.http' }, run({ body }) { this.$emit(body); } };`,
    );
    for (let n = 0; n < 12; n += 1) await scene.send(endpoint, { n });
    await scene.eventsOf(id, 12);
    const numbers = async (query: Record<string, string>) => {
      const { status, body } = await scene.api.get(`/sources/${id}/events`, query);
      return status === 200 ? body.data.map(({ e }: { e: { n: number } }) => e.n) : [status, body.details[0].path];
    };
    expect(await numbers({ n: '1' })).toEqual([11]);
    expect(await numbers({ n: '12' })).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    expect(await numbers({})).toHaveLength(10);
    expect(await numbers({ n: '' })).toHaveLength(10);
    for (const n of ['0', '101', 'many', '1.5']) expect(await numbers({ n })).toEqual([400, 'n']);
  });
});
