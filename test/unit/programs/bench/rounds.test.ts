import { expect, test } from 'vitest';
import { medianOf, ratioOf, type Round } from '../../../programs/bench/rounds.ts';

const round = (processorUs: number): Round => ({ processorUs, eventsPerSecond: 1, p50Ms: 1, p99Ms: 1 });
const rounds = (...times: number[]) => times.map(round);

test('a ratio compares the rounds one by one, so that a machine that slows down changes nothing', () => {
  const before = rounds(100, 200, 400, 800, 1600);
  const now = rounds(90, 180, 360, 720, 1440);
  expect(ratioOf(now, before, 'processorUs')).toEqual({ median: 0.9, from: 0.9, to: 0.9 });
});

test('a ratio has the median and the quartiles of the rounds, not their mean', () => {
  const before = rounds(100, 100, 100, 100, 100);
  expect(ratioOf(rounds(80, 90, 100, 110, 990), before, 'processorUs')).toEqual({
    median: 1,
    from: 0.9,
    to: 1.1,
  });
});

test('the median of an even number of rounds lies between the two in the middle', () => {
  expect(medianOf(rounds(1, 10, 2, 3), 'processorUs')).toBe(2.5);
});
