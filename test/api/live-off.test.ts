import { afterAll, beforeAll, expect, test } from 'vitest';
import { assemblyOfStage } from '../support/assembly-of-stage.ts';
import { emitter } from '../support/components.ts';
import { LiveStream } from '../support/live-stream.ts';
import { type Deployed, Scene } from '../support/scene.ts';

let scene: Scene;
let source: Deployed;
beforeAll(async () => {
  scene = await Scene.open({ assembly: assemblyOfStage({ live: 'off' }) });
  source = await scene.source(emitter());
});
afterAll(() => scene.close());

const emit = (n: number) => scene.api.post(`/sources/${source.id}/run`, { emits: [[{ n }]] });

async function polled(url: string, headers: Record<string, string> = {}): Promise<LiveStream> {
  const poll = await LiveStream.open(url, headers);
  await poll.ended();
  return poll;
}

test('sse_url is a long poll of the API, which goes on after the last event', async () => {
  const { sse_url: url } = source.data as { sse_url: string };
  expect(url).toBe(`${scene.cloud.base}/sources/${source.id}/sse`);
  const authorization = `Bearer ${scene.cloud.key}`;
  await emit(1);
  const first = await polled(url, { authorization, 'last-event-id': '0-0' });
  expect(first.headers.get('content-type')).toBe('text/event-stream');
  expect(first.text).toMatch(/^retry: 250\n\nevent: start\n/);
  expect(first.events).toHaveLength(1);
  await emit(2);
  const next = await polled(url, { authorization, 'last-event-id': first.events[0]?.id ?? '' });
  expect(next.events.map(({ data }) => (JSON.parse(data) as { event: unknown }).event)).toEqual([{ n: 2 }]);
});

test('a token follows its stream by long polls', async () => {
  const { body } = await scene.api.post(`/sources/${source.id}/sse_tokens`, {});
  const { url } = body.data as { url: string };
  await emit(3);
  expect((await polled(`${url}&last_event_id=0-0`)).events.length).toBeGreaterThan(0);
  expect((await LiveStream.open(url.replace('token=', 'token=x'))).status).toBe(401);
});
