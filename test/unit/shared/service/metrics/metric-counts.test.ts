import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FakeClock } from '../../../../../infra/embedded/clock.ts';
import { SourceId, WebhookId } from '../../../../../shared/domain/id.ts';
import { lastOf, metricRange } from '../../../../../shared/domain/metrics/granularity.ts';
import { type Tally, tallyOfAttempt, tallyOfRuns } from '../../../../../shared/domain/metrics/tally.ts';
import {
  createMetricCounts,
  DUE_WEIGHT,
  MAX_WAITING,
  SUBJECTS_PER_SETTLE,
  WRITE_INTERVAL_MS,
} from '../../../../../shared/service/metrics/metric-counts.ts';
import { readTallies } from '../../../../../shared/service/metrics/read-tallies.ts';
import { metricStore } from '../../../../../shared/store/users/metrics.ts';
import type { TableOptions } from '../../../../../shared/store/table/table-client.ts';
import { type EventTable, openEventTable } from '../../../../support/event-table.ts';
import { repeatingTable } from '../../../../support/repeating-table.ts';

const source = SourceId.parse('dc_1');
const webhook = WebhookId.parse('wh_1');
const START = Date.parse('2031-01-31T23:58:10Z');

let clock: FakeClock;
let opened: EventTable;
let units: number;
let due: { work: () => void; ms: number }[];
let lost: unknown[];
beforeEach(async () => {
  [clock, units, due, lost] = [new FakeClock(START), 0, [], []];
  opened = await openEventTable({
    clock,
    onConsumed: (_table, _operation, { write }) => void (units += write),
  });
});
afterEach(() => opened.close());

const now = () => clock.now();
const create = (table: TableOptions = opened.table, add = metricStore(table).add) =>
  createMetricCounts({
    metrics: { add },
    now,
    later: (work, ms) => void due.push({ work, ms }),
    onLost: (error) => void lost.push(error),
  });
function read(granularity: 'minute' | 'hour' | 'day', subject: SourceId | WebhookId = source) {
  const range = metricRange({ granularity }, now());
  return readTallies(metricStore(opened.table), subject, { ...range, last: lastOf(range) }, now());
}
const shown = (tallies: ReadonlyMap<number, Tally>) =>
  Array.from(tallies, ([at, tally]) => [new Date(at).toISOString(), Object.fromEntries(tally)]);
const event = tallyOfRuns({ runs: 1, events: 1, errors: 0 });
const success = tallyOfAttempt({ isDelivered: true, status: 200, latencyMs: 45 });

test('counts of minutes add up to those of their hours and days, across midnight', async () => {
  const counts = create();
  counts.count(source, event);
  clock.advance(60_000);
  counts.count(source, event);
  clock.advance(60_000);
  counts.count(source, tallyOfRuns({ runs: 1, events: 0, errors: 2 }));
  await counts.settle();
  expect(shown(await read('minute'))).toEqual([
    ['2031-01-31T23:58:00.000Z', { r: 1, e: 1 }],
    ['2031-01-31T23:59:00.000Z', { r: 1, e: 1 }],
    ['2031-02-01T00:00:00.000Z', { r: 1, x: 2 }],
  ]);
  expect(shown(await read('hour'))).toEqual([
    ['2031-01-31T23:00:00.000Z', { r: 2, e: 2 }],
    ['2031-02-01T00:00:00.000Z', { r: 1, x: 2 }],
  ]);
  expect(shown(await read('day'))).toEqual([
    ['2031-01-31T00:00:00.000Z', { r: 2, e: 2 }],
    ['2031-02-01T00:00:00.000Z', { r: 1, x: 2 }],
  ]);
});

test('instances add to the same buckets, also the latencies', async () => {
  for (const counts of [create(), create()]) {
    counts.count(webhook, success);
    await counts.settle();
  }
  const [[, tally] = []] = await read('minute', webhook);
  expect([...(tally ?? [])].map(([, count]) => count)).toEqual([2, 2]);
});

/** An idle instance of AWS is frozen, and writes its last counts when it runs again. */
test.each([
  ['less than 25 minutes after its hour', '2031-02-01T00:24:59Z', '2031-01-31T23:58:00.000Z'],
  ['later, when its hour may be added up', '2031-02-01T00:25:00Z', '2031-02-01T00:25:00.000Z'],
])('a count that is written %s is in the right minute', async (_, written, minute) => {
  const counts = create();
  counts.count(source, event);
  clock.advance(Date.parse(written) - START);
  await counts.settle();
  expect(shown(await read('minute'))).toEqual([[minute, { r: 1, e: 1 }]]);
});

test('a write that the SDK repeats counts once', async () => {
  const counts = create(repeatingTable(opened.table));
  counts.count(source, event);
  await counts.settle();
  expect(shown(await read('day'))).toEqual([['2031-01-31T00:00:00.000Z', { r: 1, e: 1 }]]);
  expect(lost).toEqual([]);
});

describe('write units', () => {
  /** The cheapest event in full batches to one webhook: 2.39 write units, $3.68 per million. */
  const UNITS_OF_ONE_PERCENT = (0.01 * 3.68) / 0.625;

  test('of a steady load in full batches are less than 0.2 % of the costs of its events', async () => {
    const runs = create();
    const deliveries = create();
    const events = 30_000;
    for (let batch = 0; batch < events / 10; batch += 1) {
      runs.count(source, tallyOfRuns({ runs: 10, events: 10, errors: 0 }));
      await runs.settle();
      for (let n = 0; n < 10; n += 1) {
        const tally = tallyOfAttempt({ isDelivered: true, status: 200, latencyMs: 20 + (batch % 400) });
        deliveries.count(source, tally);
        deliveries.count(webhook, tally);
      }
      await deliveries.settle();
      clock.advance(50);
    }
    expect(units / events).toBeLessThan(0.2 * UNITS_OF_ONE_PERCENT);
    expect(units).toBeGreaterThan(0);
  });

  test('of events one by one within the interval are those of one write', async () => {
    const counts = create();
    for (let n = 0; n < 20; n += 1) {
      counts.count(source, event);
      await counts.settle();
      clock.advance(1_000);
    }
    expect(units).toBe(1);
    expect(due.map(({ ms }) => ms)).toEqual([WRITE_INTERVAL_MS]);
  });

  test('of an event that comes alone are three: runs of its source, deliveries of its source, and its webhook', async () => {
    const [runs, deliveries] = [create(), create()];
    runs.count(source, event);
    await runs.settle();
    deliveries.count(source, success);
    deliveries.count(webhook, success);
    await deliveries.settle();
    expect(units).toBe(3);
    await Promise.all([runs, deliveries].map((counts) => counts.settle()));
    expect(units).toBe(3);
  });
});

test('a burst is written before the interval ends: an instance that dies loses fewer counts than a write has', async () => {
  const counts = create();
  counts.count(source, event);
  await counts.settle();
  for (let n = 0; n < DUE_WEIGHT; n += 1) {
    counts.count(source, event);
    await counts.settle();
  }
  const [[, tally] = []] = await read('day');
  expect(tally?.get('e')).toBeGreaterThan(DUE_WEIGHT / 2);
});

test('a timer writes what waits, and is set again while something waits', async () => {
  const added: string[] = [];
  const counts = create(opened.table, async (subject) => void added.push(subject));
  for (let n = 0; n < SUBJECTS_PER_SETTLE + 5; n += 1) counts.count(SourceId.parse(`dc_${n}`), event);
  await counts.settle();
  expect(added).toHaveLength(SUBJECTS_PER_SETTLE);
  expect(due).toHaveLength(1);
  due[0]?.work();
  await expect.poll(() => added.length).toBe(SUBJECTS_PER_SETTLE + 5);
  counts.count(source, event);
  await counts.settle();
  counts.count(source, event);
  await counts.settle();
  expect(due).toHaveLength(2);
});

test('a table that is away loses counts, is reported once for each write and holds nothing up', async () => {
  const counts = create(opened.table, () => Promise.reject(new Error('no table')));
  for (const id of ['dc_1', 'dc_2', 'dc_3']) counts.count(SourceId.parse(id), event);
  await counts.settle();
  expect(lost).toEqual([new Error('no table')]);
});

test('the memory of a process is bounded', async () => {
  const added = new Set<string>();
  const counts = create(opened.table, async (subject) => void added.add(subject));
  for (let n = 0; n < MAX_WAITING + 10; n += 1) counts.count(SourceId.parse(`dc_${n}`), event);
  expect(lost).toHaveLength(1);
  await counts.settle();
  due[0]?.work();
  await expect.poll(() => added.size).toBe(MAX_WAITING);
});
