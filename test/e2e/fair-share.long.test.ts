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

test('200 requests to a slow source take the permits of its user only: another user is answered while they last, and those beyond get 429', async () => {
  const gate = await scene.webhook();
  gate.receiver.respond = () => 'hang';
  const slow = await scene.source(responds(`await fetch('${gate.receiver.url}').catch(() => undefined);`));
  const user = await aUser(scene.cloud);
  const { body } = await scene.api.as(user.key).post('/sources', { component_code: responds(''), name: 'quick' });
  const quick: string = body.data.configured_props.http.endpoint_url;

  const flood = Array.from({ length: 200 }, () => scene.send(slow.endpoint));
  await until('the slow source has its share', () => gate.receiver.received.length === DEFAULT_SHARE.perUser);
  expect((await scene.send(quick)).status).toBe(201);

  const responses: Response[] = [];
  for (const request of flood) void request.then((response) => responses.push(response));
  await until('the others are refused', () => responses.length === 200 - DEFAULT_SHARE.perUser, {
    withinMs: 20_000,
  });
  for (const { status, headers } of responses) {
    expect([status, Number(headers.get('retry-after')) > 0]).toEqual([429, true]);
  }
  expect(gate.receiver.received.length).toBe(DEFAULT_SHARE.perUser);
  expect(await responses[0]?.json()).toMatchObject({ code: 'overloaded' });
  await gate.receiver.stop();
  expect(new Set((await Promise.all(flood)).map(({ status }) => status))).toEqual(new Set([201, 429]));
});

test('two slow endpoints that are always asked for more do not keep the third of their user from answering', async () => {
  const slow = responds('await new Promise((resolve) => setTimeout(resolve, 500));');
  const [one, other, third] = [await scene.source(slow), await scene.source(slow), await scene.source(responds(''))];
  expect((await scene.send(third.endpoint)).status).toBe(201);
  let isOver = false;
  let served = 0;
  const clients = [one, other].flatMap(({ endpoint }) =>
    Array.from({ length: 200 }, async () => {
      while (!isOver) if ((await scene.send(endpoint)).status === 201) served += 1;
    }),
  );
  await until('the slow endpoints are at work', () => served > DEFAULT_SHARE.perUser, { withinMs: 20_000 });
  const statuses: number[] = [];
  for (let n = 0; n < 5; n += 1) statuses.push((await scene.send(third.endpoint)).status);
  isOver = true;
  expect(statuses).toEqual([201, 201, 201, 201, 201]);
  await Promise.all(clients);
});
