import { describe, expect, test } from 'vitest';
import { bucketName, metricRange, startOfBucket } from '../../../../../shared/domain/metrics/granularity.ts';
import { metricRowsOf } from '../../../../../shared/domain/metrics/metric-rows.ts';
import { addTally, isCount, tallyOfAttempt, tallyOfRuns } from '../../../../../shared/domain/metrics/tally.ts';

const NOW = Date.parse('2031-03-01T00:07:31.250Z');
const at = (text: string) => Date.parse(text);

describe('the buckets of a request', () => {
  test.each([
    ['minute', '2031-02-28T23:08:00Z', 60],
    ['hour', '2031-02-28T01:00:00Z', 24],
    ['day', '2031-01-31T00:00:00Z', 30],
  ] as const)('by %s begin with %s without since', (granularity, first, rows) => {
    expect(metricRange({ granularity }, NOW)).toEqual({ granularity, first: at(first), rows });
  });

  test.each([
    ['2031-02-28T23:59:59.999Z', '2031-03-01T00:00:00Z', 1],
    ['2031-02-28T23:59:59.999Z', '2031-03-01T00:00:00.001Z', 2],
    ['2031-02-28T23:00:00Z', undefined, 68],
    ['2031-03-01T05:00:00Z', undefined, 1],
  ])('from %s before %s are as many as the time touches', (since, until, rows) => {
    const range = metricRange(
      { granularity: 'minute', since: at(since), until: until === undefined ? undefined : at(until) },
      NOW,
    );
    expect(range).toMatchObject({ first: startOfBucket('minute', at(since)), rows });
  });

  test('end before until without since', () => {
    const range = metricRange({ granularity: 'hour', until: at('2031-02-01T05:00:00Z') }, NOW);
    expect(range).toMatchObject({ first: at('2031-01-31T05:00:00Z'), rows: 24 });
  });

  test('have names in UTC that sort by time', () => {
    expect((['minute', 'hour', 'day'] as const).map((granularity) => bucketName(granularity, NOW))).toEqual([
      '2031-03-01T00:07',
      '2031-03-01T00',
      '2031-03-01',
    ]);
  });
});

describe('rows', () => {
  const range = { granularity: 'minute', first: at('2031-03-01T00:00:00Z'), rows: 3 } as const;
  const second = at('2031-03-01T00:01:00Z');
  const tally = new Map<string, number>();
  addTally(tally, tallyOfRuns({ runs: 3, events: 7, errors: 0 }));
  for (const status of [200, 204, 204]) {
    addTally(tally, tallyOfAttempt({ isDelivered: true, status, latencyMs: 100 }));
  }
  for (const status of [301, 404, 500, 503, undefined, 999]) {
    addTally(tally, tallyOfAttempt({ isDelivered: false, status }));
  }
  const rows = (measure: Parameters<typeof metricRowsOf>[0]) =>
    metricRowsOf(measure, range, new Map([[second, tally]]));

  test('exist for every bucket, oldest first, with zeros', () => {
    expect(rows('events')).toEqual([
      { at: range.first, value: 0 },
      { at: second, value: 7 },
      { at: second + 60_000, value: 0 },
    ]);
    expect(rows('runs')[1]).toMatchObject({ value: 3 });
    expect(rows('errors')[1]).toMatchObject({ value: 0 });
  });

  test('of deliveries and failures tell the classes of their statuses', () => {
    expect(rows('deliveries')[0]).toEqual({ at: range.first, value: 0, byStatus: new Map() });
    expect(rows('deliveries')[1]).toEqual({ at: second, value: 3, byStatus: new Map([['2', 3]]) });
    expect(rows('failures')[1]).toEqual({
      at: second,
      value: 6,
      byStatus: new Map([
        ['3', 1],
        ['4', 1],
        ['5', 2],
        ['0', 2],
      ]),
    });
  });

  test('of attempts are deliveries and failures together', () => {
    expect(rows('attempts')[1]).toEqual({
      at: second,
      value: 9,
      byStatus: new Map([
        ['2', 3],
        ['3', 1],
        ['4', 1],
        ['5', 2],
        ['0', 2],
      ]),
    });
  });

  test('of latency have quantiles of the successes', () => {
    const [empty, full] = rows('latency');
    expect(empty).toEqual({ at: range.first, p50: 0, p95: 0, p99: 0 });
    const about = expect.closeTo(100, -0.4) as number;
    expect(full).toEqual({ at: second, p50: about, p95: about, p99: about });
  });
});

test('counts of an item are told from its other attributes', () => {
  const counts = [
    ...tallyOfRuns({ runs: 1, events: 1, errors: 1 }).keys(),
    ...tallyOfAttempt({ isDelivered: true, status: 200, latencyMs: 1e9 }).keys(),
    ...tallyOfAttempt({ isDelivered: false }).keys(),
  ];
  expect(counts.filter((name) => !isCount(name))).toEqual([]);
  expect(['pk', 'sk', 'expiresAt', 'z', 'd', 'f9', '__proto__'].filter(isCount)).toEqual([]);
});
