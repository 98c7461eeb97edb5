import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gate } from '../support/gate.ts';
import type { Received } from '../support/receiver.ts';
import { ECHO, Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

const EMITTERS = 10;
const EVENTS = 100;
/** The receiver fails this share of its requests; one in twenty of these failures is about itself. */
const FAILING = 0.1;

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

const header = ({ headers }: Received, name: string) => String(headers[`x-tributary-${name}`]);
const positionOf = (id: string) =>
  id
    .split('-')
    .map((part) => part.padStart(16, '0'))
    .join('-');

const numberIn = ({ body }: Received) => (JSON.parse(body) as { n: number }).n;
const positionsOf = (requests: readonly Received[]) =>
  requests.map((request) => positionOf(header(request, 'event-id')));

test('1,000 events of ten emitters reach a receiver that fails one in ten in the order of each emitter, also across a kill -9', async () => {
  const hook = await scene.webhook();
  const { received } = hook.receiver;
  await scene.api.put(`/webhooks/${hook.id}`, { ordered: true, retry_seconds: [1, 1, 1] });
  const taken = new Set<string>();
  hook.receiver.respond = (_, request) => {
    if (Math.random() < FAILING) return { status: Math.random() < 0.05 ? 503 : 422 };
    taken.add(`${header(request, 'emitter')} ${header(request, 'event-id')}`);
    return { status: 200 };
  };
  const sources = await Promise.all(Array.from({ length: EMITTERS }, () => scene.source(ECHO)));
  for (const { id } of sources) await scene.subscribe(id, hook.id);
  const [, fanOut = expect.fail()] =
    [...scene.cloud.cloud.functions].find(([name]) => name.startsWith('DeliverEvent')) ?? [];
  let most = 0;
  await Promise.all(
    sources.map(async ({ endpoint }) => {
      for (let n = 0; n < EVENTS; n += 1) {
        expect((await scene.send(endpoint, { n })).status).toBe(200);
        most = Math.max(most, fanOut.running);
      }
    }),
  );
  // As on AWS, several functions take the messages of the queue, which has no order, at the same time.
  expect(most).toBeGreaterThan(1);
  await scene.cloud.crash();
  const failed = async () => {
    const { body } = await scene.api.get(`/webhooks/${hook.id}/deliveries`, { status: 'failed', limit: 1 });
    return body.page_info.total_count as number;
  };
  await until('every event is delivered or failed', async () => taken.size + (await failed()) >= EMITTERS * EVENTS, {
    withinMs: 300_000,
    everyMs: 500,
  });
  for (const { id } of sources) {
    const own = received.filter((request) => header(request, 'emitter') === id);
    const positions = positionsOf(own);
    expect(positions).toEqual(positions.toSorted());
    expect(new Set(own.map(numberIn)).size).toBe(EVENTS);
  }
});

describe('a webhook whose order is switched', () => {
  const WITHIN = { withinMs: 240_000, everyMs: 100 };

  async function subscribed() {
    const [hook, source] = [await scene.webhook(), await scene.source(ECHO)];
    await scene.subscribe(source.id, hook.id);
    const put = (body: object) => scene.api.put(`/webhooks/${hook.id}`, body);
    /** Sends an event until it is accepted: the service may be down. */
    const send = (n: number) =>
      until(`the event ${n} is accepted`, async () => {
        const response = await scene.send(source.endpoint, { n }).catch(() => undefined);
        return response?.status === 200;
      });
    return { hook, put, send, received: hook.receiver.received };
  }
  const taken = (requests: readonly Received[]) => new Set(requests.map(numberIn)).size;

  test('on gets the events in flight, and later ones in order, also when a kill -9 interrupts the request', async () => {
    const { hook, put, send, received } = await subscribed();
    await put({ retry_seconds: [1, 1, 1] });
    const refused = new Set<number>();
    const delivered = new Set<number>();
    hook.receiver.respond = (_, request) => {
      const n = numberIn(request);
      if (n % 5 === 0 && !refused.has(n) && refused.add(n)) return { status: 422 };
      delivered.add(n);
      return { status: 200 };
    };
    let [next, isOver] = [0, false];
    const sending = (async () => {
      for (; !isOver; next += 1) await send(next);
    })();
    await until('events are on their way', () => received.length > 20);
    const interrupted = put({ ordered: true }).then(
      ({ status }) => status,
      () => 0,
    );
    const [, webhooks = expect.fail()] =
      [...scene.cloud.cloud.functions].find(([name]) => name.startsWith('Webhooks')) ?? [];
    await until('the request is under way', () => webhooks.running > 0, { everyMs: 1 });
    const before = next;
    await until('more events are sent', () => next > before + 1, { everyMs: 1 });
    await scene.cloud.crash();
    expect(await interrupted).not.toBe(200);
    expect((await put({ ordered: true })).status).toBe(200);
    const first = next + 1;
    await until('later events are sent', () => next > first + 50);
    isOver = true;
    await sending;
    await until('every event is delivered', () => delivered.size === next, WITHIN);
    const positions = positionsOf(received.filter((request) => numberIn(request) >= first));
    expect(positions).toEqual(positions.toSorted());
  });

  test('off gets the events that wait in order, and loses none, also after a kill -9', async () => {
    const { hook, put, send, received } = await subscribed();
    await put({ ordered: true });
    const held = gate();
    hook.receiver.respond = () => ({ status: 200, after: held.opened });
    for (let n = 0; n < 10; n += 1) await send(n);
    await until('ten deliveries wait', async () => {
      const { body } = await scene.api.get(`/webhooks/${hook.id}/deliveries`, { limit: 1 });
      return body.page_info.total_count === 10;
    });
    expect((await put({ ordered: false })).status).toBe(200);
    await scene.cloud.crash();
    held.open();
    for (let n = 10; n < 20; n += 1) await send(n);
    await until('every event is received', () => taken(received) === 20, WITHIN);
    const positions = positionsOf(received.filter((request) => numberIn(request) < 10));
    expect(positions).toEqual(positions.toSorted());
  });
});
