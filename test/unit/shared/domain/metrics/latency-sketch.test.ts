import { describe, expect, test } from 'vitest';
import {
  bucketOfLatency,
  type LatencySketch,
  quantilesOf,
} from '../../../../../shared/domain/metrics/latency-sketch.ts';

/** A sketch merges by addition. */
function mergeSketches(sketches: readonly LatencySketch[]): LatencySketch {
  const merged = new Map<number, number>();
  for (const sketch of sketches)
    for (const [bucket, count] of sketch) merged.set(bucket, (merged.get(bucket) ?? 0) + count);
  return merged;
}
const sketchOf = (latencies: readonly number[]) =>
  mergeSketches(latencies.map((ms) => new Map([[bucketOfLatency(ms), 1]])));
/** The same numbers in each run. */
function pseudoRandom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}
const exact = (latencies: readonly number[], share: number) =>
  latencies.toSorted((one, other) => one - other)[Math.max(0, Math.ceil(share * latencies.length) - 1)] ?? 0;

describe('a quantile', () => {
  test('of any latency from 1 ms to 60 days is within 2 %, and a tenth of a millisecond', () => {
    for (let ms = 1; ms < 60 * 86_400_000; ms *= 1.017) {
      const [shown = 0] = quantilesOf(sketchOf([ms]), [0.5]);
      expect(Math.abs(shown - ms), `${ms} ms`).toBeLessThanOrEqual(ms * 0.02 + 0.06);
    }
  });

  test('of many latencies is within 2 % of the exact one', () => {
    const random = pseudoRandom(7);
    const latencies = Array.from({ length: 5_000 }, () => 2 + 10 ** (random() * 5));
    const shares = [0.01, 0.5, 0.95, 0.99, 1];
    for (const [n, shown] of quantilesOf(sketchOf(latencies), shares).entries()) {
      const wanted = exact(latencies, shares[n] ?? 0);
      expect(Math.abs(shown - wanted)).toBeLessThanOrEqual(wanted * 0.02 + 0.06);
    }
  });

  test('is the same from merged sketches as from one, in any order', () => {
    const random = pseudoRandom(11);
    const latencies = Array.from({ length: 900 }, () => random() * 4_000);
    const parts = [0, 1, 2].map((part) => sketchOf(latencies.filter((_, n) => n % 3 === part)));
    const shares = [0.5, 0.95, 0.99];
    expect(quantilesOf(mergeSketches(parts.toReversed()), shares)).toEqual(quantilesOf(sketchOf(latencies), shares));
  });

  test('of nothing is 0', () => {
    expect(quantilesOf(new Map(), [0.5, 0.99])).toEqual([0, 0]);
  });
});

test('latencies of no time, of clocks that differ and of months have buckets', () => {
  expect([-5_000, 0, Number.NaN, 1].map(bucketOfLatency)).toEqual([0, 0, 0, 0]);
  expect(bucketOfLatency(1e15)).toBe(bucketOfLatency(1e14));
});
