import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { emitter } from '../support/components.ts';
import { LiveStream } from '../support/live-stream.ts';
import { ECHO, type Hook, Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

let scene: Scene;
let notices: string;
beforeEach(async () => {
  scene = await Scene.open();
  notices = (await scene.api.get('/users/me/notices')).body.data.id;
});
afterEach(() => scene.close());

const bodiesOf = ({ receiver }: Hook) =>
  receiver.received.map(({ body }) => JSON.parse(body) as Record<string, string>);

test('a webhook that fails is told to another webhook once, signed, and that it recovered; never to itself', async () => {
  const [source, failing, operator] = [await scene.source(ECHO), await scene.webhook(), await scene.webhook()];
  failing.receiver.respond = () => ({ status: 500 });
  await scene.subscribe(source.id, failing.id);
  for (const name of ['webhook.failing', 'webhook.recovered'])
    for (const hook of [failing, operator]) await scene.subscribe(notices, hook.id, name);
  const stream = await LiveStream.open(`${scene.cloud.base}/sources/${notices}/sse?event_name=webhook.failing`, {
    authorization: `Bearer ${scene.cloud.key}`,
  });
  await stream.started();
  for (let n = 0; n < 3; n += 1) await scene.send(source.endpoint, { n });

  const [received] = await until('the notice comes', () =>
    operator.receiver.received.length > 0 ? operator.receiver.received : undefined,
  );
  new Webhook(operator.secret).verify(received?.body ?? '', received?.headers as Record<string, string>);
  expect(received?.headers).toMatchObject({
    'x-tributary-emitter': notices,
    'x-tributary-event-name': 'webhook.failing',
  });
  expect(bodiesOf(operator)).toEqual([
    {
      id: failing.id,
      name: new URL(failing.receiver.url).host,
      what: 'It answers 500.',
      since: expect.stringMatching(/^\d{4}-.*Z$/),
    },
  ]);
  const [event] = await stream.eventsUntil(1);
  const one = await until('the delivery is stored', async () => {
    const { data } = (await scene.api.get(`/sources/${notices}/events/${event?.id}`, { event_name: 'webhook.failing' }))
      .body;
    return data.deliveries.length > 0 ? data : undefined;
  });
  expect(one).toMatchObject({
    event: { id: failing.id },
    metadata: { name: 'webhook.failing', emitter_id: notices },
    deliveries: [{ webhook_id: operator.id }],
  });

  failing.receiver.respond = () => ({ status: 200 });
  await until('it recovered', () => bodiesOf(operator).some(({ what }) => what === 'It works again.'));
  await until('the deliveries ended', scene.isThrough);
  expect(bodiesOf(operator)).toHaveLength(2);
  expect(bodiesOf(failing).filter(({ what }) => what !== undefined)).toEqual([]);
});

test('a failed run is told to a source that listens, and not to the source that failed', async () => {
  const failing = await scene.source(emitter());
  const listening = await scene.source(
    `export default { name: 'Told', version: '1', run(event) { this.$emit(event); } };`,
  );
  for (const { id } of [failing, listening]) await scene.subscribe(notices, id, 'source.errors');
  await scene.api.post(`/sources/${failing.id}/run`, { throws: 'broken' });
  const [told] = await scene.eventsOf(listening.id, 1);
  expect(told?.event).toMatchObject({ id: failing.id, what: expect.stringContaining('broken') });
  await until('all is done', scene.isThrough);
  expect(await scene.events(listening.id)).toHaveLength(1);
  expect(await scene.events(failing.id)).toEqual([]);
});
