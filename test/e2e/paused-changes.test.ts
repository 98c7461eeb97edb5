import { afterAll, beforeAll, expect, test } from 'vitest';
import { FakeClock } from '../../infra/embedded/clock.ts';
import { operator } from '../support/operator.ts';
import { ECHO, Scene } from '../support/scene.ts';

const clock = new FakeClock(Date.UTC(2031, 4, 14, 10));
let scene: Scene;
let run: ReturnType<typeof operator>;
beforeAll(async () => {
  scene = await Scene.open({ clock });
  run = operator(scene.cloud);
});
afterAll(() => scene.close());

test('pause --api refuses every change within 10 s; reads and endpoints go on, and resume ends it', async () => {
  const { body } = await scene.api.post('/sources', { component_code: ECHO });
  const { id, configured_props } = body.data;
  const webhook = { url: 'https://receiver.example/hook' };
  expect((await scene.api.post('/webhooks', webhook)).status).toBe(200);

  expect(await run('pause')).toMatchObject({ consuming: false });
  clock.advance(10_000);
  expect((await scene.api.post('/webhooks', webhook)).status).toBe(200);
  expect(await run('pause --api')).toMatchObject({ consuming: false, api_changes: false });
  clock.advance(10_000);

  const refused = [
    await scene.api.post('/webhooks', webhook),
    await scene.api.put(`/sources/${id}`, { active: false }),
    await scene.api.delete(`/sources/${id}`),
    await scene.api.post('/accounts', { app: 'acme', fields: { api_key: 'k' } }),
  ];
  for (const { status, body: problem, headers } of refused) {
    expect(status).toBe(503);
    expect(problem).toMatchObject({ code: 'unavailable', error: expect.stringContaining('not made') as string });
    expect(headers.get('retry-after')).toBe('60');
  }
  const page = await fetch(`${scene.cloud.origin}/connect/${'a'.repeat(40)}`);
  expect(await page.text()).toContain('The operator has stopped changes');
  expect((await scene.api.get(`/sources/${id}`)).body.data).toMatchObject({ active: true });
  expect((await scene.send(configured_props.http.endpoint_url, { n: 1 })).status).toBe(200);

  expect(await run('resume')).toMatchObject({ consuming: true, api_changes: true });
  clock.advance(10_000);
  expect((await scene.api.delete(`/sources/${id}`)).status).toBe(204);
});
