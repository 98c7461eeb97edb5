import { beforeEach, expect, test } from 'vitest';
import { SourceId, UserId, WebhookId } from '../../../../shared/domain/id.ts';
import { ServiceCounts } from '../../../../shared/domain/metrics/service-counts.ts';
import { tallyOfRuns } from '../../../../shared/domain/metrics/tally.ts';
import { METRICS_INTERVAL_MS } from '../../../../shared/lambda/interval-writer.ts';
import { createServiceCounts } from '../../../../shared/lambda/count-lines.ts';
import { withBacklogMetrics } from '../../../../shared/lambda/service-metrics.ts';
import { backlogStore } from '../../../../shared/store/emitters/backlog.ts';
import { emitterStore } from '../../../../shared/store/emitters/emitters.ts';
import { openEngine, shortCircuitedClient, TABLE } from '../../contract/dynamodb/targets.ts';

let now: number;
let lines: object[];
let due: (() => void)[];
beforeEach(() => {
  [now, lines, due] = [Date.parse('2031-01-01T00:00:00Z'), [], []];
});

const create = () =>
  createServiceCounts({
    namespace: '',
    functionName: 'run-source',
    write: (fields) => void lines.push(JSON.parse(JSON.stringify(fields)) as object),
    now: () => now,
    later: (work) => void due.push(work),
  });
const counted = () => lines.map((line) => ServiceCounts.parse(line));
const attempt = {
  ownerId: UserId.parse('u_1'),
  listenerId: WebhookId.parse('wh_1'),
  emitterId: SourceId.parse('dc_1'),
};

test('the first count is written at once, and those of the next ten seconds in one line', () => {
  const counts = create();
  counts.ran(tallyOfRuns({ runs: 1, events: 3, errors: 0 }), [7]);
  counts.attempted({ ...attempt, isDelivered: true, status: 200, ms: 20, latencyMs: 45 }, true);
  counts.attempted({ ...attempt, isDelivered: false, status: 503, ms: 30, latencyMs: 55 }, true);
  counts.attempted({ ...attempt, isDelivered: false, ms: 30_001 }, true);
  counts.refused();
  counts.refused();
  expect(counted().map(({ counts: each }) => each)).toEqual([{ r: 1, e: 3 }]);
  now += METRICS_INTERVAL_MS;
  for (const work of due) work();
  expect(counted().map(({ counts: each }) => each)).toEqual([
    { r: 1, e: 3 },
    { d2: 1, f5: 1, f0: 1, q: 2 },
  ]);
  const [first, second] = counted();
  const valuesOf = (line: ServiceCounts | undefined, time: 'run' | 'attempt' | 'delivery') => ({
    count: line?.times[time].buckets.reduce((sum, each) => sum + each, 0),
    sum: line?.times[time].sum,
  });
  expect(valuesOf(first, 'run')).toEqual({ count: 1, sum: 7 });
  expect(valuesOf(second, 'run')).toEqual({ count: 0, sum: 0 });
  expect(valuesOf(second, 'attempt')).toEqual({ count: 3, sum: 30_051 });
  expect(valuesOf(second, 'delivery')).toEqual({ count: 1, sum: 45 });
});

test('a line names no source and no user, and has the same size for one source and for 1,000', () => {
  const sizeFor = (sources: number) => {
    lines = [];
    const counts = create();
    for (let n = 0; n < sources; n += 1) counts.ran(tallyOfRuns({ runs: 1, events: 1, errors: 1 }), [1]);
    now += METRICS_INTERVAL_MS;
    counts.ran(tallyOfRuns({ runs: 1, events: 1, errors: 1 }), [1]);
    return JSON.stringify(lines.at(-1)).replaceAll(/\d+/g, '0').length;
  };
  expect(sizeFor(1_000)).toBe(sizeFor(1));
});

test('the backlogs of sources are counted when they grow or are loaded, and no longer when they have ended', async () => {
  const { service, close } = await openEngine();
  const table = { dynamo: shortCircuitedClient(service), tableName: TABLE };
  try {
    const stores = { emitters: emitterStore(table), backlogs: backlogStore(table) };
    const { emitters, backlogs } = withBacklogMetrics(stores, create());
    const last = () => {
      now += METRICS_INTERVAL_MS;
      for (const work of due.splice(0)) work();
      return counted().at(-1)?.backlogs;
    };
    const [one, other] = [SourceId.parse('dc_1'), SourceId.parse('dc_2')];
    const added = { last: '1', queue: 'q', queueNumber: 0, count: 5, bytes: 10 };
    await backlogs.begin(one, '1', added);
    expect(await backlogs.begin(one, '2', added)).toBe(false);
    await stores.backlogs.begin(other, '1', added);
    expect(last()).toEqual({ count: 1, triggers: 5 });
    await emitters.load(other);
    await backlogs.add(other, '1', { ...added, last: '2', count: 2 });
    expect(last()).toEqual({ count: 2, triggers: 12 });
    expect(await backlogs.end(one, { id: '1', last: '1' })).toBe(true);
    expect(last()).toEqual({ count: 1, triggers: 7 });
    await stores.backlogs.end(other, { id: '1', last: '2' });
    await emitters.load(other);
    expect(last()).toEqual({ count: 0, triggers: 0 });
  } finally {
    await close();
  }
});
