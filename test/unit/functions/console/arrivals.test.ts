import { expect, test } from 'vitest';
import { createArrivals } from '../../../../functions/console/app/arrivals.ts';

const rowsOf = (from: number, count: number) => Array.from({ length: count }, (_, n) => `row-${from - n}`);

test('rows above those that were there arrived; rows of another filter did not', () => {
  const arrivals = createArrivals();
  arrivals(['b', 'a']);
  const hasArrived = arrivals(['c', 'b', 'a']);
  expect(['c', 'b', 'a'].map(hasArrived)).toEqual([true, false, false]);
  expect(arrivals(['z', 'y'])('z')).toBe(false);
  expect(arrivals(['c', 'b'])('c')).toBe(true);
});

test('rows that are not in the list are forgotten after 10,000', () => {
  const arrivals = createArrivals();
  arrivals(['old']);
  for (let newest = 100; newest <= 12_000; newest += 50) arrivals(rowsOf(newest, 100));
  expect(arrivals(rowsOf(12_001, 100))('row-12001')).toBe(true);
  expect(arrivals(['next', 'old'])('next')).toBe(false);
});
