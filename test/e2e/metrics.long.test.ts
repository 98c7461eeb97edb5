import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Deployed, ECHO, type Hook, Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

const hasFaults = inject('faults') === 'injected';
const EVENTS = 120;

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

interface Row {
  at_ms: number;
  value: number;
  p50: number;
  p95: number;
  p99: number;
  by_status: Record<string, number>;
}

/** An injected fault may refuse a read, which is made again. */
const rows = (query: Record<string, string>): Promise<Row[]> =>
  until('metrics are read', async () => {
    const { status, body } = await scene.api.get('/users/me/metrics', query);
    return status === 200 && body.data;
  });
const sum = (all: readonly Row[]) => all.reduce((total, { value }) => total + value, 0);
const total = async (query: Record<string, string>) => sum(await rows(query));

test('metrics of a source and its webhooks have every run, event and attempt within the interval of writes', async () => {
  const source: Deployed = await scene.source(ECHO);
  const [good, bad]: Hook[] = [await scene.webhook(), await scene.webhook()];
  if (!good || !bad) expect.fail('no webhooks');
  for (const { id } of [good, bad]) await scene.subscribe(source.id, id);
  let responses = 0;
  bad.receiver.respond = () => ({ status: (responses += 1) === 1 ? 503 : 200 });
  for (let n = 0; n < EVENTS; n += 20)
    await Promise.all(Array.from({ length: 20 }, (_, more) => scene.send(source.endpoint, { n: n + more })));
  const atLeast = async (count: number, query: Record<string, string>) =>
    (await total({ granularity: 'minute', ...query })) >= count;
  for (const [measure, count] of [
    ['runs', EVENTS],
    ['events', EVENTS],
    ['deliveries', 2 * EVENTS],
    ['failures', 1],
  ] as const)
    await until(`all ${measure} are counted`, () => atLeast(count, { measure, source_id: source.id }));
  const measured = () =>
    Promise.all(
      (['minute', 'hour', 'day'] as const).map((granularity) =>
        total({ measure: 'deliveries', webhook_id: good.id, granularity }),
      ),
    );
  // Faults repeat batches, and with them their attempts. Reads may be stale, and the webhook's counts come after those
  // of its source.
  if (hasFaults)
    await until('all granularities have every delivery', async () => Math.min(...(await measured())) >= EVENTS);
  else expect(await measured()).toEqual([EVENTS, EVENTS, EVENTS]);
  const failure = await until('the failure of the webhook is counted', async () =>
    (await rows({ measure: 'failures', webhook_id: bad.id })).find(({ value }) => value > 0),
  );
  expect(failure.by_status).toMatchObject({ '5xx': expect.any(Number) as number });
  const { p50, p95, p99 } = await until('the latencies of the webhook are counted', async () =>
    (await rows({ measure: 'latency', webhook_id: bad.id, granularity: 'day' })).find(({ p50: ms }) => ms > 0),
  );
  expect(p95).toBeGreaterThanOrEqual(p50);
  expect(p99).toBeGreaterThanOrEqual(p95);
});
