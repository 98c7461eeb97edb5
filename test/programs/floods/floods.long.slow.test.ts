import { afterEach, beforeEach, expect, test } from 'vitest';
import { FakeClock } from '../../../infra/embedded/clock.ts';
import type { Receiver } from '../../support/receiver.ts';
import { ECHO, Scene } from '../../support/scene.ts';
import { repetitions } from '../../support/repetitions.ts';
import { settle, travel } from '../../support/travel.ts';
import { until } from '../../support/until.ts';

/** Floods (docs/isolation.md). `npm run bench -- floods` measures the memory that they take. */

const SECOND = 1_000;
const clock = new FakeClock(Date.UTC(2031, 2, 1, 12));
let scene: Scene;
beforeEach(async () => {
  scene = await Scene.open({ clock });
});
afterEach(() => scene.close());

const numbers = (bodies: readonly unknown[]) => new Set(bodies.map((body) => (body as { n: number }).n));
const range = (count: number) => Array.from({ length: count }, (_, index) => index);

/** On a busy machine an attempt may time out; its repetition needs the clock, and has arrived twice. */
const arrived = async ({ received }: Receiver, count: number, what: () => ReadonlySet<unknown>): Promise<void> => {
  const wait = { byMs: 600 * SECOND, stepMs: SECOND, isBusy: scene.isBusy };
  const isThrough = await travel(clock, wait, () => received.length >= count && what().size >= count);
  expect(isThrough, `${what().size} of ${count} arrived`).toBe(true);
  expect(what().size).toBe(count);
};

const EMITTING = `export default {
  name: 'Emitting', version: '0.0.1',
  run({ from, to }) { for (let n = from; n < to; n += 1) this.$emit({ n }); },
};`;

const EMITS = repetitions(1_000, 10_000);
test(`a run that emits ${EMITS} events: each reaches the webhook, and the stream shows the last 100`, async () => {
  const source = await scene.source(EMITTING);
  const { id, receiver } = await scene.webhook();
  await scene.subscribe(source.id, id);
  await scene.api.post(`/sources/${source.id}/run`, { from: 0, to: EMITS });
  await arrived(receiver, EMITS, () => numbers(receiver.bodies));
  const shown = await scene.events(source.id);
  expect(shown.map(({ event }) => event.n)).toEqual(range(100).map((index) => EMITS - 1 - index));
});

const WEBHOOKS = repetitions(250, 1_000);
test(`an emitter with ${WEBHOOKS} webhooks: each of them gets its event`, async () => {
  const source = await scene.source(ECHO);
  const { id, receiver } = await scene.webhook();
  await scene.subscribe(source.id, id);
  const create = async (index: number) => {
    const url = `${receiver.url}/${index}`;
    const { body } = await scene.api.post('/webhooks', { url });
    await scene.subscribe(source.id, body.data.id);
  };
  for (let start = 1; start < WEBHOOKS; start += 50)
    await Promise.all(range(Math.min(50, WEBHOOKS - start)).map((index) => create(start + index)));
  await scene.send(source.endpoint, { n: 1 });
  const reached = () => new Set(receiver.received.map(({ url, headers }) => `${url} ${headers['webhook-id']}`));
  await arrived(receiver, WEBHOOKS, reached);
  await settle(100);
  expect(reached().size).toBe(WEBHOOKS);
});

const SOURCES = repetitions(8, 30);
test(`${SOURCES} sources that emit at once: each event reaches the webhook, and each stream has its own`, async () => {
  const sources = [];
  for (let n = 0; n < SOURCES; n += 1) sources.push(await scene.source(EMITTING));
  const { id, receiver } = await scene.webhook();
  await scene.subscribe('dc_*', id);
  const run = async (sourceId: string, index: number) => {
    const { status } = await scene.api.post(`/sources/${sourceId}/run`, {
      from: index * 100,
      to: index * 100 + 50,
    });
    expect(status).toBe(200);
  };
  await Promise.all(sources.map((source, index) => run(source.id, index)));
  await arrived(receiver, SOURCES * 50, () => numbers(receiver.bodies));
  for (const [index, source] of sources.entries()) {
    const shown = await scene.eventsOf(source.id, 50);
    expect(new Set(shown.map(({ event }) => event.n))).toEqual(new Set(range(50).map((n) => index * 100 + n)));
  }
});

test('a source that is behind refuses nothing, and delivers everything in order once its run has ended', async () => {
  const gate = await scene.webhook();
  gate.receiver.respond = () => 'hang';
  const source = await scene.source(`export default {
    name: 'Slow', version: '0.0.1', props: { http: '$.interface.http' },
    async run({ body }) {
      if (body.n === 0) await fetch('${gate.receiver.url}').catch(() => undefined);
      this.$emit({ n: body.n });
    },
  };`);
  const { id, receiver } = await scene.webhook();
  await scene.subscribe(source.id, id);
  let sent = 0;
  const send = async () => {
    const { status } = await scene.send(source.endpoint, { n: sent });
    sent += 1;
    return status;
  };
  await send();
  await until('the first run waits', () => gate.receiver.received.length === 1);
  for (let n = 0; n < 30; n += 1) expect(await send()).toBe(200);
  // The triggers behind the run have waited for long enough to be moved to the backlog when it ends.
  clock.advance(125 * SECOND);
  await gate.receiver.stop();
  const wait = { byMs: 600 * SECOND, stepMs: SECOND, isBusy: scene.isBusy };
  const statuses = new Set<number>();
  const isThrough = async () => {
    if (sent < 60) statuses.add(await send());
    return sent === 60 && range(60).every((n) => numbers(receiver.bodies).has(n));
  };
  expect(await travel(clock, wait, isThrough)).toBe(true);
  expect([...statuses]).toEqual([200]);
  const shown = await scene.eventsOf(source.id, 60);
  expect(shown.map(({ event }) => event.n).reverse()).toEqual(range(60));
});
