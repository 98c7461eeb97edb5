import { afterAll, beforeAll, expect, test } from 'vitest';
import { assemblyWith } from '../support/assembly-with.ts';
import { Receiver } from '../support/receiver.ts';
import { ECHO, Scene } from '../support/scene.ts';

/**
 * A component could not reach an endpoint of its own service on one machine, though it can on AWS: its ports were
 * refused, all of them.
 */
let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

test('a hook reaches the endpoint of its own source in `activate`', async () => {
  const { id } = await scene.source(`export default {
    name: 'Challenge', version: '0.0.1', props: { http: '$.interface.http' },
    hooks: {
      async activate() {
        const response = await fetch(this.http.endpoint, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"challenge":1}' });
        if (response.status !== 200) throw new Error('status ' + response.status);
      },
    },
    run({ body }) { this.$emit(body); },
  };`);
  const [event] = await scene.eventsOf(id, 1);
  expect(event?.event).toEqual({ challenge: 1 });
});

test('one source posts to the endpoint of another one', async () => {
  const other = await scene.source(ECHO);
  const poster = await scene.source(`export default {
    name: 'Poster', version: '0.0.1', props: { http: '$.interface.http' },
    async run() {
      const headers = { 'content-type': 'application/json' };
      await fetch('${other.endpoint}', { method: 'POST', headers, body: '{"from":"another"}' });
    },
  };`);
  await scene.send(poster.endpoint, {});
  const [event] = await scene.eventsOf(other.id, 1);
  expect(event?.event).toEqual({ from: 'another' });
});

test('a webhook delivers to the endpoint of a source, and not to the API', async () => {
  const emitter = await scene.source(ECHO);
  const target = await scene.source(ECHO);
  const hook = async (url: string) => {
    const { body } = await scene.api.post('/webhooks', undefined, { query: { url } });
    await scene.subscribe(emitter.id, body.data.id);
    return String(body.data.id);
  };
  await hook(target.endpoint);
  const toApi = await hook(`${scene.cloud.origin}/v1/users/me`);
  await scene.send(emitter.endpoint, { n: 1 });
  const [event] = await scene.eventsOf(target.id, 1);
  expect(event?.event).toEqual({ n: 1 });
  const response = await scene.api.post(`/webhooks/${toApi}/test`, {});
  expect(response.text).toMatch(/blocked/);
  expect(response.text).toContain('of this service');
});

test('where private addresses are refused, the endpoints of the own service are not', async () => {
  const template = assemblyWith({ network: { allowPrivate: false } });
  const strict = await Scene.open({ assembly: template });
  const receiver = await Receiver.start();
  try {
    const target = await strict.source(ECHO);
    const poster = await strict.source(`export default {
      name: 'Poster', version: '0.0.1', props: { http: '$.interface.http' },
      async run() {
        const post = (url) => fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"n":1}' })
          .then((response) => String(response.status), (error) => error.cause?.code ?? error.message);
        this.$emit({ got: [await post('${target.endpoint}'), await post('${strict.cloud.origin}'), await post('${receiver.url}')] });
      },
    };`);
    await strict.send(poster.endpoint, {});
    const [event] = await strict.eventsOf(poster.id, 1);
    expect(event?.event).toEqual({ got: ['200', 'ERR_ACCESS_DENIED', 'ERR_ACCESS_DENIED'] });
  } finally {
    await receiver.stop();
    await strict.close();
  }
});
