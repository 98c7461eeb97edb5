import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPERATOR } from '../../infra/embedded/iam/authorizer.ts';
import { ECHO, Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

const bucket = (operation: string, input: Record<string, unknown>) => {
  const { dispatch, outputs } = scene.cloud.cloud.open;
  return dispatch({
    role: OPERATOR,
    service: 'S3',
    operation,
    input: { Bucket: outputs['BucketName'], ...input },
  });
};

/** The object key of the only bundle. */
async function bundleKey(): Promise<string> {
  const { services, open } = scene.cloud.cloud;
  const prefix = `s/o/${open.outputs['BucketName'] ?? ''}/`;
  for await (const key of services.disk.keys(`${prefix}bundles/`)) return key.slice(prefix.length);
  throw new Error('There is no bundle.');
}

/** The trigger was received, returned with a pause, and is not in work. */
const isWaiting = async () => !scene.isBusy() && !(await scene.isThrough());

/** An acknowledged request became an error `crashed` after four short tries, although its run had never started. */
test('a request whose code cannot be fetched waits, and runs once it can', async () => {
  const source = await scene.source(ECHO);
  await until('it is active', scene.isThrough);
  // A new runner, which has fetched nothing yet.
  await scene.cloud.restart();
  const Key = await bundleKey();
  const { Body } = await bucket('GetObject', { Key });
  const code = await (Body as { transformToString(): Promise<string> }).transformToString();
  await bucket('DeleteObject', { Key });

  expect((await scene.send(source.endpoint, { n: 1 })).status).toBe(200);
  await until('its run waits', isWaiting);
  await bucket('PutObject', { Key, Body: code });
  const [event] = await scene.eventsOf(source.id, 1);
  expect(event?.event).toEqual({ n: 1 });
  expect(await scene.events(source.id, { event_name: '$errors' })).toEqual([]);
});
