import { expect, onTestFinished, test } from 'vitest';
import { assemblyOfStage } from '../support/assembly-of-stage.ts';
import { behind, Distribution } from '../support/cloudfront.ts';
import { emitter } from '../support/components.ts';
import { LiveStream } from '../support/live-stream.ts';
import { Scene } from '../support/scene.ts';

test('a signed sse_url is at CloudFront, and takes tokens in its query in the place of keys', async () => {
  const distribution = await Distribution.start();
  const scene = await Scene.open({ assembly: behind(distribution.origin, assemblyOfStage({ live: 'signed' })) });
  onTestFinished(() => scene.close());
  distribution.target = scene.cloud.base;
  const { id, data } = await scene.source(emitter());
  const { sse_url: url } = data as { sse_url: string };
  expect(url).toBe(`${distribution.origin}/v1/sources/${id}/sse`);

  const authorization = `Bearer ${scene.cloud.key}`;
  expect((await LiveStream.open(url, { authorization })).status).toBe(401);
  const { body } = await scene.api.post(`/sources/${id}/sse_tokens`, {});
  const { url: withToken } = body.data as { url: string };
  expect(withToken).toMatch(`${url}?`);
  expect((await LiveStream.open(withToken.replace('token=', 'token=x'))).status).toBe(401);

  const stream = await LiveStream.open(withToken, { origin: 'https://shop.example.com' });
  await stream.started();
  expect(stream.headers.get('access-control-allow-origin')).toBe('*');
  await scene.api.post(`/sources/${id}/run`, { emits: [[{ n: 1 }]] });
  const [event] = await stream.eventsUntil(1);
  expect(JSON.parse(event?.data ?? '')).toMatchObject({ event: { n: 1 } });
  expect(stream.isOver).toBe(false);
});
