import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiResponse } from '../support/api-client.ts';
import { operator } from '../support/operator.ts';
import { type Deployed, ECHO, Scene } from '../support/scene.ts';
import { aWorkflow } from '../support/stores.ts';

let scene: Scene;
let source: Deployed;
let workflow: string;
beforeAll(async () => {
  scene = await Scene.open();
  source = await scene.source(ECHO);
  const [{ id = '' } = {}] = await operator(scene.cloud)<{ id?: string; username: string }[]>('users list');
  workflow = (await aWorkflow(scene.cloud, id as Parameters<typeof aWorkflow>[1])).id;
});
afterAll(() => scene.close());

/** A subscription to `$error` was made without a word, and nothing ever came of it. */
describe.each(['$error', '$', '$in', '$errors ', '$Logs', '$test'])('the stream %j', (event_name) => {
  test.each<[string, () => Promise<ApiResponse>]>([
    [
      'in a subscription',
      () => {
        const body = { emitter_id: source.id, listener_id: source.id, event_name };
        return scene.api.post('/subscriptions', body);
      },
    ],
    [
      'in the deletion of a subscription',
      () => scene.api.delete('/subscriptions', { emitter_id: source.id, listener_id: source.id, event_name }),
    ],
    ['in an auto-subscription', () => scene.api.post('/auto_subscriptions', { listener_id: source.id, event_name })],
    [
      'in the deletion of an auto-subscription',
      () => scene.api.delete('/auto_subscriptions', { listener_id: source.id, event_name }),
    ],
    ["in a filter of a source's events", () => scene.api.get(`/sources/${source.id}/event_summaries`, { event_name })],
    ['in the older list of events', () => scene.api.get(`/sources/${source.id}/events`, { event_name })],
    [
      "in a filter of a workflow's events",
      () => scene.api.get(`/workflows/${workflow}/event_summaries`, { event_name }),
    ],
    ['in a deletion of events', () => scene.api.delete(`/sources/${source.id}/events`, { event_name })],
  ])('%s is 400, and the two that exist are listed', async (_, ask) => {
    const { status, body } = await ask();
    expect([status, body.code]).toEqual([400, 'invalid_request']);
    expect(body.error).toMatch(/^event_name .*\$errors.*\$logs/);
    expect(body.details).toMatchObject([{ path: 'event_name' }]);
  });

  test('accepts no emit: the run gets an error event, and its other emits are kept', async () => {
    const made = await scene.source(`export default {
      name: 'Reserved', version: '0.0.1',
      run() {
        this.$emit({ n: 1 }, { name: ${JSON.stringify(event_name)} });
        this.$emit({ n: 2 });
      },
    };`);
    await scene.api.post(`/sources/${made.id}/run`, {});
    const [{ event } = expect.fail()] = await scene.errorsOf(made.id);
    expect(event.error).toMatchObject({ code: 'reserved_stream' });
    expect((await scene.events(made.id)).map(({ event: { n } }) => n as number)).toEqual([2]);
  });
});

test.each(['$errors', '$logs', 'a$', 'default', 'errors'])('the stream %s may be named', async (event_name) => {
  const body = { emitter_id: source.id, listener_id: source.id, event_name };
  expect((await scene.api.post('/subscriptions', body)).status).toBe(200);
  expect((await scene.api.delete('/subscriptions', body)).status).toBe(204);
  const automatic = { listener_id: source.id, event_name };
  expect((await scene.api.post('/auto_subscriptions', automatic)).status).toBe(200);
  expect((await scene.api.delete('/auto_subscriptions', automatic)).status).toBe(204);
  expect((await scene.api.get(`/sources/${source.id}/event_summaries`, { event_name })).status).toBe(200);
  expect((await scene.api.delete(`/sources/${source.id}/events`, { event_name })).status).toBe(202);
});
