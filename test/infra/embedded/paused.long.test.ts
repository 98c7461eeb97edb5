import { afterAll, beforeAll, expect, test } from 'vitest';
import { VERSION } from '../../../shared/domain/version.ts';
import { Receiver } from '../../support/receiver.ts';
import { ECHO, Scene } from '../../support/scene.ts';
import { SteppingClock } from '../../support/stepping-clock.ts';
import { until } from '../../support/until.ts';

const TICKS = `export default {
  name: 'Ticks', version: '0.0.1', props: { timer: { type: '$.interface.timer', default: { intervalSeconds: 3600 } } },
  run() { this.$emit('tick'); },
};`;
const RESPONDS = `export default {
  name: 'Responds', version: '0.0.1', props: { http: { type: '$.interface.http', customResponse: true } },
  run() { this.http.respond({ status: 200, body: 'ran' }); },
};`;

const clock = new SteppingClock(0);
let scene: Scene;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await Receiver.start();
  scene = await Scene.open({ clock });
});
afterAll(async () => {
  await scene.close();
  await receiver.stop();
});

const waiting = () => {
  const { services, open } = scene.cloud.cloud;
  const name = open.outputs['RunsQueueUrl']?.replace(/^.*\//, '') ?? '';
  return services.sqs.countsOf(`arn:aws:sqs:us-east-1:000000000000:${name}`).visible;
};
const health = async (origin: string) => {
  const response = await fetch(`${origin}/healthz`);
  return { status: response.status, body: await response.json() };
};

test('a paused service serves the API, and keeps what it accepts until a normal start', async () => {
  const echo = await scene.source(ECHO);
  const ticks = await scene.source(TICKS);
  const responds = await scene.source(RESPONDS);
  const webhook = await scene.webhook(receiver);
  await scene.subscribe(echo.id, webhook.id);
  await scene.send(echo.endpoint, { n: 1 });
  await until('the first delivery', () => receiver.received.length === 1);

  clock.aheadMs += 3 * 3_600_000;
  await scene.cloud.restart({ isPaused: true });
  expect((await scene.api.get('/users/me/sources')).body.data).toHaveLength(3);
  expect((await scene.events(echo.id)).map(({ event }) => event)).toEqual([{ n: 1 }]);
  // A trigger of the endpoint and one of the API wait. No timer has added one.
  expect((await scene.send(echo.endpoint, { n: 2 })).status).toBe(200);
  expect((await scene.api.post(`/sources/${echo.id}/run`, { n: 3 })).status).toBe(200);
  expect(waiting()).toBe(2);
  // A synchronous run cannot wait.
  expect((await scene.send(responds.endpoint)).status).toBe(503);
  expect((await scene.api.post('/components', { component_code: `${ECHO}//` })).status).toBe(503);
  // So does a test of a webhook, which nothing would repeat after a normal start.
  const test = await scene.api.post(`/webhooks/${webhook.id}/test`);
  expect([test.status, test.body.error]).toEqual([
    503,
    'The service is paused and delivers nothing. Test the webhook after a normal start.',
  ]);
  const reason = 'The service is paused: it delivers nothing, runs nothing and fires no timer.';
  for (const origin of [scene.cloud.origin, scene.cloud.ingress])
    expect(await health(origin)).toEqual({
      status: 503,
      body: { status: 'unavailable', reason, version: VERSION },
    });
  expect(waiting()).toBe(2);
  expect(receiver.received).toHaveLength(1);
  expect((await scene.api.get(`/webhooks/${webhook.id}/deliveries`)).body.data).toHaveLength(1);

  await scene.cloud.restart();
  await until('both deliveries', () => receiver.received.length === 3);
  expect((await scene.eventsOf(ticks.id, 1)).length).toBeGreaterThan(0);
  expect(await health(scene.cloud.origin)).toEqual({ status: 200, body: { status: 'ok', version: VERSION } });
});
