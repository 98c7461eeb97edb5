import { beforeEach, describe, expect, test } from 'vitest';
import { SourceId, UserId, WebhookId } from '../../../../shared/domain/id.ts';
import { COUNT, tallyOfRuns } from '../../../../shared/domain/metrics/tally.ts';
import { METRICS_INTERVAL_MS } from '../../../../shared/lambda/interval-writer.ts';
import {
  createServiceMetrics,
  withAttemptMetrics,
  withQuotaMetrics,
  withRunMetrics,
} from '../../../../shared/lambda/service-metrics.ts';

const START = Date.parse('2031-01-01T00:00:00Z');
let now: number;
let lines: Record<string, unknown>[];
let due: { work: () => void; ms: number }[];
beforeEach(() => {
  [now, lines, due] = [START, [], []];
});

const failures = (errors: number) => new Map([[COUNT.errors, errors]]);
const attempt = {
  ownerId: UserId.parse('u_1'),
  listenerId: WebhookId.parse('wh_1'),
  emitterId: SourceId.parse('dc_1'),
  ms: 12,
  latencyMs: 40,
};

const create = () =>
  createServiceMetrics({
    namespace: 'Tributary/Mine',
    functionName: 'run-source',
    write: (fields) => lines.push({ ...fields }),
    now: () => now,
    later: (work, ms) => due.push({ work, ms }),
  });
const values = () =>
  lines.map(({ RunsFailed, DeliveriesFailed, DeliveryLag }) =>
    Object.fromEntries(
      Object.entries({ RunsFailed, DeliveriesFailed, DeliveryLag }).filter(([, value]) => value !== undefined),
    ),
  );

test('a line is in the embedded metric format, with the metrics that have a value', () => {
  const metrics = create();
  metrics.ran(failures(2), []);
  expect(lines).toEqual([
    {
      level: 'info',
      message: 'metrics',
      function: 'run-source',
      timestamp: '2031-01-01T00:00:00.000Z',
      _aws: {
        Timestamp: START,
        CloudWatchMetrics: [
          {
            Namespace: 'Tributary/Mine',
            Dimensions: [[]],
            Metrics: [{ Name: 'RunsFailed', Unit: 'Count' }],
          },
        ],
      },
      RunsFailed: 2,
    },
  ]);
});

describe('an instance', () => {
  test('writes the first count at once, and those of the next ten seconds together', () => {
    const metrics = create();
    metrics.attempted({ ...attempt, isDelivered: false }, true);
    now += 1_000;
    metrics.attempted({ ...attempt, isDelivered: false }, true);
    metrics.attempted({ ...attempt, isDelivered: false }, true);
    metrics.attempted({ ...attempt, isDelivered: true, latencyMs: 30 }, true);
    metrics.attempted({ ...attempt, isDelivered: true, latencyMs: 20 }, true);
    expect(values()).toEqual([{ DeliveriesFailed: 1 }]);
    expect(due.map(({ ms }) => ms)).toEqual([METRICS_INTERVAL_MS - 1_000]);
    due[0]?.work();
    expect(values()).toEqual([{ DeliveriesFailed: 1 }, { DeliveriesFailed: 2, DeliveryLag: 30 }]);
  });

  test('that was frozen writes what it counted before with its next count, and nothing twice', () => {
    const metrics = create();
    metrics.ran(failures(1), []);
    metrics.ran(failures(1), []);
    now += METRICS_INTERVAL_MS;
    metrics.ran(failures(3), []);
    due[0]?.work();
    expect(values()).toEqual([{ RunsFailed: 1 }, { RunsFailed: 4 }]);
  });

  test('does not wait for a clock that was set back', () => {
    const metrics = create();
    metrics.ran(failures(1), []);
    now -= 3_600_000;
    metrics.ran(failures(1), []);
    expect(values()).toHaveLength(2);
  });
});

describe('counted are', () => {
  test('failed runs of sources, besides the metrics of each source', () => {
    const counted: unknown[] = [];
    const counts = withRunMetrics(
      { count: (...args) => void counted.push(args), settle: () => Promise.resolve() },
      create(),
    );
    const id = SourceId.parse('dc_1');
    counts.count(id, tallyOfRuns({ runs: 3, events: 3, errors: 0 }));
    expect(lines).toEqual([]);
    counts.count(id, tallyOfRuns({ runs: 3, events: 0, errors: 2 }));
    expect(values()).toEqual([{ RunsFailed: 2 }]);
    expect(counted).toHaveLength(2);
  });

  test('triggers that a quota refuses', async () => {
    const [over, under] = ['u_over', 'u_under'].map((owner) => ({
      sourceId: SourceId.parse('dc_1'),
      ownerId: UserId.parse(owner),
    }));
    if (!over || !under) throw new Error('no sources');
    const quotas = withQuotaMetrics({ isOver: (source) => Promise.resolve(source === over) }, create());
    expect([await quotas.isOver(under), await quotas.isOver(over)]).toEqual([false, true]);
    expect(values()).toEqual([{ RunsFailed: 1 }]);
  });

  const counting = (first: boolean) => {
    const counted: unknown[] = [];
    const counts = withAttemptMetrics(
      {
        count: (each) => void counted.push(each),
        countPayload: () => undefined,
        settle: () => Promise.resolve(),
      },
      create(),
      { first },
    );
    return { counts, counted };
  };

  test('failed attempts, and the lag of first attempts that delivered', () => {
    const { counts, counted } = counting(true);
    counts.count({ ...attempt, isDelivered: true });
    now += METRICS_INTERVAL_MS;
    counts.count({ ...attempt, isDelivered: false });
    expect(values()).toEqual([{ DeliveryLag: 40 }, { DeliveriesFailed: 1 }]);
    expect(counted).toHaveLength(2);
  });

  test('no lag of retries, which wait for hours, and of attempts that a caller asked for', () => {
    counting(false).counts.count({ ...attempt, isDelivered: true });
    counting(true).counts.count({ ...attempt, latencyMs: undefined, isDelivered: true });
    expect(lines).toEqual([]);
  });
});
