import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Receiver } from '../support/receiver.ts';
import { Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

/** Hooks report to this server when they run. The hook named by `waitsIn` waits until `release`. */
async function provider(waitsIn: string) {
  const receiver = await Receiver.start();
  onTestFinished(() => receiver.stop());
  const gate = await Receiver.start();
  onTestFinished(() => gate.stop());
  gate.respond = () => 'hang';
  const ran = () => receiver.received.map(({ body }) => body);
  const code = (version: string) => {
    const hook = (name: string) => `async ${name}() {
      await fetch('${receiver.url}', { method: 'POST', body: '${name} ${version}' });
      ${waitsIn === `${name} ${version}` ? `await fetch('${gate.url}').catch(() => undefined);` : ''}
    }`;
    return `export default {
      name: 'Waiting', version: '${version}',
      hooks: { ${['deploy', 'activate', 'deactivate'].map(hook).join(',')} }, run() {},
    };`;
  };
  const isWaiting = () => gate.received.length > 0;
  return { code, ran, isWaiting, release: () => gate.stop() };
}

/** The purge deleted the state from before the hooks. */
describe('DELETE while hooks run', () => {
  const isPurged = (id: string) => async () => {
    for await (const [key] of scene.cloud.cloud.open.services.disk.entries('d/'))
      // Metrics, which are counts, expire later.
      if (key.includes(id) && !key.includes('METRICS#')) return false;
    return true;
  };

  async function deleted(id: string, { isWaiting, release }: Awaited<ReturnType<typeof provider>>, name: string) {
    await until(`${name} waits`, isWaiting);
    expect((await scene.api.delete(`/sources/${id}`)).status).toBe(204);
    await release();
    await until('it is purged', isPurged(id));
  }

  test.each(['deploy a', 'activate a'])(
    'of a create, during %s: the activated code is deactivated',
    async (waitsIn) => {
      const upstream = await provider(waitsIn);
      const response = scene.api.post('/sources', { component_code: upstream.code('a'), name: waitsIn });
      await until('it waits', upstream.isWaiting);
      const { data } = (await scene.api.get('/users/me/sources')).body;
      await deleted(data.find(({ name }: { name: string }) => name === waitsIn).id, upstream, waitsIn);
      expect(upstream.ran()).toEqual(['deploy a', 'activate a', 'deactivate a']);
      expect((await response).status).toBe(404);
    },
  );

  test('of an update: the new code is deactivated', async () => {
    const upstream = await provider('activate b');
    const { id } = await scene.source(upstream.code('a'));
    const response = scene.api.put(`/sources/${id}`, { component_code: upstream.code('b') });
    await deleted(id, upstream, 'activate b');
    expect(upstream.ran().slice(2)).toEqual(['deactivate a', 'activate b', 'deactivate b']);
    expect((await response).status).toBe(404);
  });

  test('of disabling: it is not deactivated again', async () => {
    const upstream = await provider('deactivate a');
    const { id } = await scene.source(upstream.code('a'));
    const response = scene.api.put(`/sources/${id}`, { active: false });
    await deleted(id, upstream, 'deactivate a');
    expect(upstream.ran().slice(2)).toEqual(['deactivate a']);
    expect((await response).status).toBe(404);
  });
});

/** The endpoint of a disabled or failed source answered 404 to the provider's check during activate. */
describe.each(['plain', 'customResponse'])('an endpoint (%s) that the provider checks during activate', (kind) => {
  const isCustom = kind === 'customResponse';
  const code = (version: string, fails = false) => `export default {
    name: 'Checked', version: '${version}',
    props: { http: ${isCustom ? "{ type: '$.interface.http', customResponse: true }" : "'$.interface.http'"} },
    hooks: { async activate() {
      ${fails ? "throw new Error('not yet');" : ''}
      const response = await fetch(this.http.endpoint, { method: 'POST', body: 'check' });
      const { by } = await response.json();
      if (response.status !== 200${isCustom ? ` || by !== '${version}'` : ''}) throw new Error('checked: ' + response.status + by);
    } },
    run({ body }) {
      this.$emit({ by: '${version}' });
      ${isCustom ? `this.http.respond({ status: 200, body: { by: '${version}' } });` : ''}
    },
  };`;
  const put = async (id: string, body: object) => {
    const { status, text } = await scene.api.put(`/sources/${id}`, body);
    return status === 200 ? status : text;
  };
  const emittedBy = async (id: string, count: number) =>
    (await scene.eventsOf(id, count)).map(({ event }) => event.by as string).reverse();

  test('is open when the source is enabled again, and by the code that is being activated', async () => {
    const { id } = await scene.source(code('1'));
    expect(await put(id, { active: false })).toBe(200);
    expect(await put(id, { active: true })).toBe(200);
    expect(await put(id, { active: false })).toBe(200);
    expect(await put(id, { component_code: code('2') })).toBe(200);
    expect(await put(id, { component_code: code('3') })).toBe(200);
    expect(await emittedBy(id, 4)).toEqual(['1', '1', '2', '3']);
  });

  test('is open when a source that failed is repaired', async () => {
    const { id } = await scene.source(code('1'));
    expect(await put(id, { component_code: code('2', true) })).toContain('not yet');
    expect(await put(id, { component_code: code('3') })).toBe(200);
    expect(await emittedBy(id, 2)).toEqual(['1', '3']);
  });
});
