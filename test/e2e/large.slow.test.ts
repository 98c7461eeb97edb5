import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyWebhook } from '../../shared/client/verify-webhook.ts';
import { Receiver } from '../support/receiver.ts';
import { deployed, ECHO, PASS, Scene } from '../support/scene.ts';
import { aUser } from '../support/stores.ts';
import { until } from '../support/until.ts';

/** Above what a message or an item carries inline, below what an event may have. */
const LARGE = 300_000;
const text = 'x'.repeat(LARGE);
const MAKER = `export default {
  name: 'Maker', version: '0.0.1', props: { http: '$.interface.http' },
  run({ body }) { for (let n = 0; n < body.count; n += 1) this.$emit({ n, text: 'x'.repeat(${LARGE}) }); },
};`;

let scene: Scene;

beforeAll(async () => {
  scene = await Scene.open();
});

afterAll(() => scene.close());

describe('a large event', () => {
  test('is shown with its delivery and delivered again whole, also from an inactive webhook', async () => {
    const [emitter, hook] = [await scene.source(ECHO), await scene.webhook()];
    await scene.subscribe(emitter.id, hook.id);
    const deliveries = `/webhooks/${hook.id}/deliveries`;
    const first = async (status: string) =>
      until(status, async () => (await scene.api.get(deliveries, { status })).body.data[0]);
    const bodies = () => hook.receiver.received.map(({ body }) => body.length);
    await scene.send(emitter.endpoint, { event: { text } });
    const delivered = await first('delivered');
    const { body } = await scene.api.get(`${deliveries}/${delivered.id}`, { expand: 'event' });
    expect(body.data.event).toEqual({ text });
    await scene.api.post(`${deliveries}/${delivered.id}/redeliver`);
    await until('it arrives again', () => bodies().length === 2);
    await scene.api.put(`/webhooks/${hook.id}`, { active: false });
    await scene.send(emitter.endpoint, { event: { text } });
    const held = await first('held');
    const shown = await scene.api.get(`${deliveries}/${held.id}`, { expand: 'event' });
    expect(shown.body.data.event).toEqual({ text });
    await scene.api.post(`${deliveries}/${held.id}/redeliver`);
    await until('it arrives', () => bodies().length === 3);
    expect(new Set(bodies()).size).toBe(1);
  });

  test.each([210_000, 300_000])(
    'that is no object arrives bare and signed at each webhook, and is shown as raw_event: %i bytes',
    async (bytes) => {
      const list = ['€', 'x'.repeat(bytes)];
      const [emitter, ...hooks] = [await scene.source(ECHO), await scene.webhook(), await scene.webhook()] as const;
      for (const { id } of hooks) await scene.subscribe(emitter.id, id);
      await scene.send(emitter.endpoint, { event: list });
      for (const { receiver, secret } of hooks) {
        const { body, headers } = await until('it arrives', () => receiver.received[0]);
        expect(body === JSON.stringify(list)).toBe(true);
        await verifyWebhook({ body, headers, secret });
      }
      const [event] = await scene.eventsOf(emitter.id, 1, { expand: 'event' });
      expect(event?.event).toEqual({ raw_event: list });
    },
  );

  test('is sent as a test', async () => {
    const hook = await scene.webhook();
    const { body } = await scene.api.post(`/webhooks/${hook.id}/test`, { text });
    expect(body.data.outcome).toBe('delivered');
    expect(hook.receiver.bodies).toEqual([{ text }]);
  });
});

/** Objects below `payloads/`. */
async function payloads(): Promise<string[]> {
  const { services, open } = scene.cloud.cloud;
  const prefix = `s/o/${open.outputs['BucketName'] ?? ''}/payloads/`;
  const keys: string[] = [];
  for await (const key of services.disk.keys(prefix)) keys.push(key.slice(prefix.length));
  return keys;
}

describe('the payload of a large event', () => {
  test('goes with its trigger, its message and its delivery, and with the deletion of the webhook', async () => {
    const [emitter, listener] = [await scene.source(ECHO), await scene.source(PASS)];
    const [hook, off] = [await scene.webhook(), await scene.webhook()];
    for (const { id } of [listener, hook, off]) await scene.subscribe(emitter.id, id);
    await scene.api.put(`/webhooks/${off.id}`, { active: false });
    await scene.send(emitter.endpoint, { event: { text } });
    await until('it arrives', () => hook.receiver.received.length === 1);
    const held = () => payloads().then((keys) => keys.filter((key) => key.includes(off.id)));
    await until('the delivery to the inactive webhook has a payload', async () => (await held()).length === 1);
    const [delivery] = (await scene.api.get(`/webhooks/${off.id}/deliveries`)).body.data;
    await scene.api.post(`/webhooks/${off.id}/deliveries/${delivery.id}/redeliver`);
    await until('a delivered one has none', async () => (await held()).length === 0);
    await scene.send(emitter.endpoint, { event: { text } });
    await until('another one has a payload', async () => (await held()).length === 1);
    await scene.api.delete(`/webhooks/${off.id}`);
    await scene.eventsOf(listener.id, 2);
    const ids = [emitter.id, listener.id, hook.id, off.id];
    await until('nothing is left', async () => (await payloads()).every((key) => !ids.some((id) => key.includes(id))));
  });

  test('counts for its user from the first request and the first listener on', async () => {
    const { key } = await aUser(scene.cloud);
    const api = scene.api.as(key);
    const created = async (code: string) => deployed((await api.post('/sources', { component_code: code })).body.data);
    const [emitter, listener] = [await created(ECHO), await created(PASS)];
    await api.post(`/sources/${emitter.id}/run`, { event: { text } });
    const eventsOf = (id: string, count: number) =>
      until('it is stored', async () => {
        const { body } = await api.get(`/sources/${id}/event_summaries`);
        return body.data.length >= count;
      });
    await eventsOf(emitter.id, 1);
    await api.post('/subscriptions', undefined, {
      query: { emitter_id: emitter.id, listener_id: listener.id },
    });
    expect((await scene.send(emitter.endpoint, { event: { text } })).status).toBe(200);
    await eventsOf(listener.id, 1);
  });
});

describe('events too large for a message go through the bucket and arrive whole', () => {
  test('to a listening source, and stay readable with expand=event', async () => {
    const [emitter, listener] = [await scene.source(ECHO), await scene.source(PASS)];
    await scene.subscribe(emitter.id, listener.id);
    await scene.send(emitter.endpoint, { event: { text } });
    const [event] = await scene.eventsOf(listener.id, 1, { expand: 'event' });
    expect(event?.event).toEqual({ text });
    const [summary] = await scene.events(listener.id);
    expect(JSON.stringify(summary?.event).length).toBeLessThanOrEqual(1_024);
    expect(summary?.metadata).toMatchObject({ truncated: true });
  });

  /** A message has 200,000 bytes inline; the trigger made of a delivery is a little longer than the delivery was. */
  test('to a listening source also at the sizes around which one message is too large and the other is not', async () => {
    const sizes = Array.from({ length: 12 }, (_, step) => 199_650 + step * 25);
    const emitter = await scene.source(`export default {
      name: 'Sizes', version: '0.0.1',
      run({ sizes }) { for (const size of sizes) this.$emit({ text: 'x'.repeat(size) }); },
    };`);
    const listener = await scene.source(`export default {
      name: 'Measuring', version: '0.0.1', run({ text }) { this.$emit({ size: text.length }); },
    };`);
    await scene.subscribe(emitter.id, listener.id);
    await scene.api.post(`/sources/${emitter.id}/run`, { sizes });
    const events = await scene.eventsOf(listener.id, sizes.length);
    expect(new Set(events.map(({ event }) => event.size as number))).toEqual(new Set(sizes));
  });

  test('to a listening source also when seven arrive together, in characters of three bytes', async () => {
    const emitter = await scene.source(`export default {
      name: 'Long texts', version: '0.0.1',
      run() { for (let n = 0; n < 7; n += 1) this.$emit({ text: '€'.repeat(340_000) }); },
    };`);
    const listener = await scene.source(`export default {
      name: 'Measuring', version: '0.0.1', run({ text }) { this.$emit({ size: text.length }); },
    };`);
    await scene.subscribe(emitter.id, listener.id);
    await scene.api.post(`/sources/${emitter.id}/run`);
    const events = await scene.eventsOf(listener.id, 7);
    expect(events.map(({ event }) => event.size)).toEqual(Array.from({ length: 7 }, () => 340_000));
  });

  test('from an endpoint, where 512 KB of control characters are a binary body', async () => {
    const source = await scene.source(`export default {
      name: 'Measuring', version: '0.0.1', props: { http: '$.interface.http' },
      run({ body, isBase64Encoded }) {
        this.$emit({ bytes: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8').length });
      },
    };`);
    const request = { method: 'POST', headers: { 'content-type': 'text/plain' } };
    for (const letter of ['\u0001', '"', '\n'])
      expect((await fetch(source.endpoint, { ...request, body: letter.repeat(512 * 1024) })).status).toBe(200);
    const events = await scene.eventsOf(source.id, 3);
    expect(events.map(({ event }) => event.bytes)).toEqual([524_288, 524_288, 524_288]);
  });

  test('by a run of the API, and from a source that answers for itself', async () => {
    const source = await scene.source(`export default {
      name: 'Own answer', version: '0.0.1',
      props: { http: { type: '$.interface.http', customResponse: true } },
      run({ body }) { this.$emit(body.event, { delivery_ts: body.at }); this.http.respond({ status: 202 }); },
    };`);
    expect((await scene.send(source.endpoint, { event: { text } })).status).toBe(202);
    const [event] = await scene.eventsOf(source.id, 1, { expand: 'event' });
    expect(event?.event).toEqual({ text });

    const run = await scene.source(PASS);
    expect((await scene.api.post(`/sources/${run.id}/run`, { text })).status).toBe(200);
    const [ran] = await scene.eventsOf(run.id, 1, { expand: 'event' });
    expect(ran?.event).toEqual({ text });
  });

  test('and their bodies go when the stream is trimmed to its last 100', async () => {
    const source = await scene.source(MAKER);
    for (let n = 0; n < 8; n += 1) await scene.send(source.endpoint, { count: 20 });
    await until(
      'the newest events are those of the last run',
      async () => (await scene.events(source.id)).length === 100,
    );
  });
});

/** Lambda counts the JSON of a response, with escapes and base64: these were a bare 500 on AWS and 200 here. */
test('a response of 4.5 MB arrives whole, whatever its characters; a larger one is refused, and $errors says why', async () => {
  const source = await scene.source(`export default {
    name: 'Long answer', version: '0.0.1', props: { http: { type: '$.interface.http', customResponse: true } },
    run({ body }) {
      const long = body.isBytes ? Buffer.alloc(body.length, 7) : body.letter.repeat(body.length);
      this.http.respond({ status: 200, body: long });
    },
  };`);
  const bytesOf = async (body: object) => {
    const response = await scene.send(source.endpoint, body);
    return [response.status, (await response.arrayBuffer()).byteLength];
  };
  for (const body of [{ letter: '"' }, { letter: 'x' }, { isBytes: true }])
    expect(await bytesOf({ ...body, length: 4_500_000 })).toEqual([200, 4_500_000]);
  const refused = await scene.send(source.endpoint, { isBytes: true, length: 4_800_000 });
  expect([refused.status, await refused.json()]).toMatchObject([500, { code: 'run_failed' }]);
  const reported = await until('the error', async () => {
    const [event] = await scene.eventsOf(source.id, 1, { event_name: '$errors' });
    return event?.event as { error: { code: string } } | undefined;
  });
  expect(reported.error.code).toBe('response_too_large');
});

test('a synchronous source keeps its last 100 events; older ones and their bodies are deleted', async () => {
  const source = await scene.source(
    MAKER.replace("'$.interface.http' }", "{ type: '$.interface.http', customResponse: true } }"),
  );
  for (let n = 0; n < 3; n += 1) await scene.send(source.endpoint, { count: 80 });
  expect(await scene.eventsOf(source.id, 100)).toHaveLength(100);
});

/** The first attempt has 5 s. */
test.concurrent('a large event reaches a webhook whole, by the first and by a later attempt, which has a longer time limit', async ({
  onTestFinished,
}) => {
  const source = await scene.source(ECHO);
  const receiver = await Receiver.start();
  onTestFinished(() => receiver.stop());
  const { id } = await scene.webhook(receiver);
  receiver.respond = (index) => (index === 0 ? { status: 500 } : { status: 200, afterMs: 5_500 });
  await scene.subscribe(source.id, id);
  expect((await scene.send(source.endpoint, { event: { text } })).status).toBe(200);
  const { received } = receiver;
  await until('the second attempt', () => received.length >= 2);
  expect(receiver.bodies.slice(0, 2)).toEqual([{ text }, { text }]);
  await until('it is answered', () => received[1]?.isAnswered);
});

test.concurrent('a large event with a delivery_ts to come arrives whole', async () => {
  const source = await scene.source(`export default {
    name: 'Large and later', version: '0.0.1',
    run() { this.$emit({ text: 'x'.repeat(${LARGE}) }, { delivery_ts: Date.now() + 3000 }); },
  };`);
  await scene.api.post(`/sources/${source.id}/run`, {});
  const [event] = await scene.eventsOf(source.id, 1, { expand: 'event' });
  expect(event?.event).toEqual({ text });
});

test.concurrent('events with a delivery_ts to come are delivered at their time, also from a source that answers for itself', async () => {
  const source = await scene.source(`export default {
    name: 'Later', version: '0.0.1', props: { http: { type: '$.interface.http', customResponse: true } },
    run() {
      for (let n = 0; n < 12; n += 1) this.$emit({ n }, { delivery_ts: Date.now() + 3000 });
      this.http.respond({ status: 200 });
    },
  };`);
  const before = Date.now();
  await scene.send(source.endpoint);
  // Fault injection lets schedules fire up to a minute late.
  const delivered = await scene.eventsOf(source.id, 12);
  expect(new Set(delivered.map(({ event }) => event.n as number)).size).toBe(12);
  // Schedules take whole seconds.
  for (const { indexed_at_ms: at } of delivered) expect(at).toBeGreaterThanOrEqual(before + 2000);
});

/** Each source is a group of its own, and a batch may hold several. */
test('many concurrent sources each emit their own events, in their own order', async () => {
  const sources = await Promise.all(Array.from({ length: 12 }, () => scene.source(ECHO)));
  const sent = Array.from({ length: 8 }, (_, n) => n);
  await Promise.all(
    sources.map(async ({ endpoint }) => {
      for (const n of sent) await scene.send(endpoint, { event: { n } });
    }),
  );
  for (const { id } of sources) {
    const events = await scene.eventsOf(id, sent.length);
    expect(events.map(({ event }) => event.n as number)).toEqual([...sent].reverse());
  }
});
