import { afterAll, beforeAll, expect, test } from 'vitest';
import { noFaults } from '../../infra/embedded/faults.ts';
import { DEFAULT_SHARE } from '../../shared/service/admission/synchronous-share.ts';
import { Scene } from '../support/scene.ts';
import { aUser } from '../support/stores.ts';
import { until } from '../support/until.ts';

let scene: Scene;
beforeAll(async () => {
  // A second instance of the ingress would have places of its own.
  scene = await Scene.open({ faults: noFaults });
});
afterAll(() => scene.close());

const responds = (before: string) => `export default {
  name: 'Responds', version: '0.0.1', props: { http: { type: '$.interface.http', customResponse: true } },
  async run() { ${before} this.http.respond({ status: 201, body: 'done' }); },
};`;

test('200 requests to a slow source take its own share only: another user is answered while they last, and those beyond get 429', async () => {
  const gate = await scene.webhook();
  gate.receiver.respond = () => 'hang';
  const slow = await scene.source(responds(`await fetch('${gate.receiver.url}').catch(() => undefined);`));
  const user = await aUser(scene.cloud);
  const { body } = await scene.api
    .as(user.key)
    .post('/sources', { component_code: responds(''), name: 'quick' });
  const quick: string = body.data.configured_props.http.endpoint_url;

  const flood = Array.from({ length: 200 }, () => scene.send(slow.endpoint));
  await until(
    'the slow source has its share',
    () => gate.receiver.received.length === DEFAULT_SHARE.perSource,
  );
  expect((await scene.send(quick)).status).toBe(201);

  const responses: Response[] = [];
  for (const request of flood) void request.then((response) => responses.push(response));
  await until('the others are refused', () => responses.length === 200 - DEFAULT_SHARE.perSource, {
    withinMs: 20_000,
  });
  for (const { status, headers } of responses) {
    expect([status, Number(headers.get('retry-after')) > 0]).toEqual([429, true]);
  }
  expect(gate.receiver.received.length).toBe(DEFAULT_SHARE.perSource);
  expect(await responses[0]?.json()).toMatchObject({ code: 'overloaded' });
  await gate.receiver.stop();
  expect(new Set((await Promise.all(flood)).map(({ status }) => status))).toEqual(new Set([201, 429]));
});
