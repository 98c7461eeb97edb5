import { describe, expect, test } from 'vitest';
import type { CountRow, LatencyRow, Webhook } from '../../../../../functions/console/app/api/wire.ts';
import {
  countsOf,
  failuresOf,
  latencyLayers,
  nearestFilled,
  stackedHeights,
  statusLayers,
} from '../../../../../functions/console/app/charts/chart-layers.ts';
import { countSteps } from '../../../../../functions/console/app/charts/count-scale.ts';
import { latencySteps, latencyText } from '../../../../../functions/console/app/charts/latency-scale.ts';
import { sourceMarks, webhookMarks } from '../../../../../functions/console/app/charts/marks.ts';
import { SPARK_HEIGHT, sparkPath } from '../../../../../functions/console/app/charts/spark-path.ts';

const bars = [0, 100, 250].map((fromMs, n) => ({ fromMs, untilMs: [100, 250, 300][n] ?? 0 }));
const row = (at_ms: number, value: number, by_status?: CountRow['by_status']): CountRow => ({
  at_ms,
  value,
  ...(by_status && { by_status }),
});

describe('the counts of bars', () => {
  test('are the sums of the buckets that begin in them', () => {
    expect(countsOf(bars, [row(0, 1), row(99, 2), row(100, 4), row(249, 8), row(250, 16)])).toEqual([3, 12, 16]);
  });

  test('are zero without buckets, and leave out those outside of all bars', () => {
    expect(countsOf(bars, [row(-1, 1), row(260, 2), row(300, 4)])).toEqual([0, 0, 2]);
    expect(countsOf(bars, [])).toEqual([0, 0, 0]);
    expect(countsOf([], [row(0, 1)])).toEqual([]);
  });

  test('have a layer per class of status; drawn, each is on top of those below', () => {
    const rows = [row(0, 6, { '2xx': 3, '5xx': 2, none: 1 }), row(100, 1, { '4xx': 1 })];
    const layers = statusLayers(bars, rows);
    expect(layers.map(({ name, values }) => [name, ...values])).toEqual([
      ['2xx', 3, 0, 0],
      ['3xx', 0, 0, 0],
      ['4xx', 0, 1, 0],
      ['5xx', 2, 0, 0],
      ['No response', 1, 0, 0],
    ]);
    expect(stackedHeights(layers).map(([first]) => first)).toEqual([6, 3, 3, 3, 1]);
    expect(rows.map(failuresOf)).toEqual([3, 1]);
  });
});

const latency = (at_ms: number, p50: number): LatencyRow => ({ at_ms, p50, p95: 2 * p50, p99: 3 * p50 });

test('a bucket without deliveries has no latency, rather than one of 0 ms', () => {
  const layers = latencyLayers([latency(0, 0), latency(100, 5)]);
  expect(layers.map(({ name, values }) => [name, ...values])).toEqual([
    ['p99', null, 15],
    ['p95', null, 10],
    ['p50', null, 5],
  ]);
});

test('the pointer finds the nearest bar with a value', () => {
  const layers = [{ name: 'x', colour: 1 as const, values: [0, 3, null, 0, 0, 4] }];
  expect([0, 1, 2, 3, 4, 5].map((n) => nearestFilled(layers, n))).toEqual([1, 1, 1, 1, 5, 5]);
  expect(nearestFilled([{ name: 'x', colour: 1, values: [0, null] }], 0)).toBeUndefined();
});

test.each([
  [1, '1 ms'],
  [12.34, '12 ms'],
  [1_500, '1.5 s'],
  [59_999, '60 s'],
  [180_000, '3 min'],
  [36_000_000, '10 h'],
])('a latency of %d ms is told as %s', (ms, text) => {
  expect(latencyText(ms)).toBe(text);
});

test.each([
  [5, 80, [1, 10, 100]],
  [10, 10, [10, 100]],
  [0.5, 0.5, [1, 10]],
  [12, 3_600_001, [10, 100, 1_000, 10_000, 60_000, 600_000, 3_600_000, 36_000_000]],
])('latencies from %d to %d ms are between labels', (min, max, steps) => {
  expect(latencySteps(min, max)).toEqual(steps);
});

describe('a mark', () => {
  const NOW = Date.UTC(2026, 10, 27, 12);
  const state: Parameters<typeof webhookMarks>[0] = {
    active: true,
    disabled_reason: null,
    failing_since_ms: null,
    last_attempt: null,
    updated_at: NOW / 1_000,
  };
  const last: Webhook['last_attempt'] = { at_ms: NOW - 5, outcome: 'rejected', status: 410, ms: 1 };
  const marks = (more: Partial<typeof state>) =>
    webhookMarks({ ...state, ...more }).map(({ ms, label }) => [label, ms - NOW]);

  test('is where a webhook began to fail, and where it went off', () => {
    expect(marks({})).toEqual([]);
    expect(marks({ failing_since_ms: NOW - 9 })).toEqual([['failing', -9]]);
    expect(marks({ active: false, disabled_reason: 'owner', last_attempt: last })).toEqual([['disabled', 0]]);
    expect(marks({ active: false, disabled_reason: 'gone', last_attempt: last })).toEqual([['off', -5]]);
    expect(marks({ active: false, disabled_reason: 'failing', last_attempt: last, failing_since_ms: NOW - 9 })).toEqual(
      [
        ['failing', -9],
        ['off', -5],
      ],
    );
  });

  test('is where a source was disabled, or its hook failed', () => {
    const source = { updated_at: NOW / 1_000 };
    const at = (...of: Parameters<typeof sourceMarks>) => sourceMarks(...of).map(({ ms }) => ms - NOW);
    expect(at(source, { state: 'active', errorMs: NOW })).toEqual([]);
    expect(at(source, { state: 'disabled', errorMs: NOW - 3 })).toEqual([0]);
    expect(at(source, { state: 'failed', errorMs: NOW - 3 })).toEqual([-3]);
    expect(at(source, { state: 'failed', errorMs: null })).toEqual([0]);
  });
});

test('a sparkline has a bar for each count that is not zero, as high as its share of the highest', () => {
  expect(sparkPath([0, 5, 10, 0], 10)).toBe(`M27 24v-12M45 24v-${SPARK_HEIGHT}`);
  expect(sparkPath([1], 100_000)).toBe('M36 24v-2');
  expect(sparkPath([], 0)).toBe('');
});

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [5, [0, 2, 4, 6]],
  [16, [0, 5, 10, 15, 20]],
  [300, [0, 100, 200, 300]],
  [993, [0, 500, 1_000]],
  [9_743, [0, 5_000, 10_000]],
])('the highest line of a scale of counts up to %i is not below the highest bar', (max, steps) => {
  expect(countSteps(max)).toEqual(steps);
});
