import { afterEach, beforeEach, expect, test } from 'vitest';
import { SourceId, UserId } from '../../../../../shared/domain/id.ts';
import { readSeveralMetrics } from '../../../../../shared/service/metric-reads/read-metrics.ts';
import { metricStore } from '../../../../../shared/store/users/metrics.ts';
import { deliveryWorld } from '../../../../support/world/deliveries.ts';
import { emits, ended } from '../../../../support/world/script.ts';
import { openWorld } from '../../../../support/world/world.ts';

let stage: Awaited<ReturnType<typeof openWorld>>;
beforeEach(async () => {
  stage = await openWorld();
});
afterEach(() => stage.close());

const read = (
  wanted: Partial<Parameters<typeof readSeveralMetrics>[2]>,
  { userId = stage.ownerId, now = () => stage.clock.now() } = {},
) =>
  readSeveralMetrics(
    {
      sources: stage.services.sources,
      webhooks: deliveryWorld(stage).webhooks,
      metrics: metricStore(stage.table),
      now,
    },
    userId,
    { measure: 'events', granularity: 'hour', ...wanted },
  );

async function twoSources(): Promise<[SourceId, SourceId]> {
  const [busy, quiet] = [await stage.source(), await stage.source()];
  stage.control.script = () => [emits('1'), ended()];
  await stage.execute(stage.received([stage.trigger(busy, {}, { id: 'one' })]));
  return [quiet.id, busy.id];
}

test('several sources have rows of their own, in the order of their ids, for the same buckets', async () => {
  const [quiet, busy] = await twoSources();
  // Each reading of the clock is an hour later.
  let passed = 0;
  const now = () => stage.clock.now() + (passed += 1) * 3_600_000;
  const found = await read({ sourceIds: [quiet, busy] }, { now });
  expect(found.map(({ sourceId }) => sourceId)).toEqual([quiet, busy]);
  const [of = [], others = []] = found.map(({ rows }) => rows.map(({ at }) => at));
  expect(of).toHaveLength(24);
  expect(others).toEqual(of);
  const sums = found.map(({ rows }) => rows.reduce((sum, row) => sum + ('value' in row ? row.value : 0), 0));
  expect(sums).toEqual([0, 1]);
});

test('one source has rows without its id', async () => {
  const [, busy] = await twoSources();
  const [only, ...others] = await read({ sourceIds: [busy] });
  expect([only?.sourceId, only?.rows.length, others]).toEqual([undefined, 24, []]);
});

test('one id of another user, or of nothing, refuses all', async () => {
  const [quiet, busy] = await twoSources();
  const wanted = { sourceIds: [quiet, SourceId.parse('dc_none')] };
  await expect(read(wanted)).rejects.toMatchObject({ kind: 'not_found' });
  const stranger = { userId: UserId.parse('u_stranger') };
  await expect(read({ sourceIds: [quiet, busy] }, stranger)).rejects.toMatchObject({ kind: 'not_found' });
});

test('all rows together are at most 1,500', async () => {
  const sourceIds = await twoSources();
  const since = (hours: number) => stage.clock.now() - (hours - 1) * 3_600_000;
  expect((await read({ sourceIds, since: since(720) })).map(({ rows }) => rows.length)).toEqual([720, 720]);
  await expect(read({ sourceIds, since: since(751) })).rejects.toMatchObject({
    kind: 'invalid',
    details: [{ path: 'since', message: expect.stringContaining('750 hours') as string }],
  });
});
