import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Histogram } from '../../../../../shared/domain/metrics/histogram.ts';

const BOUNDS = [5, 10, 100];
const of = (values: readonly number[]) => {
  const histogram = new Histogram(BOUNDS);
  for (const value of values) histogram.add(value);
  return histogram;
};

test('a value belongs to the first bound that it does not exceed, and one above all bounds to the last bucket', () => {
  expect(of([0, 5, 5.1, 10, 100, 101, 1e9]).counts).toEqual({ buckets: [2, 2, 1, 2], sum: 1_000_000_221.1 });
});

test('merged histograms have the counts of all their values', () => {
  const values = fc.array(fc.nat(200));
  fc.assert(
    fc.property(values, values, (some, others) => {
      const merged = of(some);
      merged.merge(of(others).counts);
      expect(merged.counts).toEqual(of([...some, ...others]).counts);
    }),
  );
});
